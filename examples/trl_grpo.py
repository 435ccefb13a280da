"""TRL trains a language model by GRPO: it plays by calling functions, and the game tells the reward.

A tiny model with random weights stands for yours. Each call of a function is one token of it, and it has no others to
choose from: so it plays whole games at random, with moves that are not legal, too. Three steps show that
calls reach the game and rewards the trainer, not that it learns to play.

    python examples/trl_grpo.py
    python examples/trl_grpo.py --model Qwen/Qwen3-0.6B --steps 300 --max-completion-length 8000     # on a GPU
"""

import argparse
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import trl
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    AutoTokenizer,
    PreTrainedTokenizerFast,
    Qwen3Config,
    Qwen3ForCausalLM,
    set_seed,
)
from trl import GRPOConfig, GRPOTrainer

from t2r_env.text import GameTools, TextGame

MARKS = ["<|im_start|>", "<|im_end|>", "<think>", "</think>", "<tool_call>", "</tool_call>"]


def calls(variant: str) -> list[str]:
    """Return what there is to play in a game, by ten games at random, as calls in the form of Qwen3."""
    game, moves = TextGame(variant), set[str]()
    for seed in range(10):
        game.reset(seed)
        while not game.over:
            moves |= {re.sub("^(keep|refuse) .*", r"\1", move) for move in game.legal_moves()}  # whichever ticket it is
            game.step(game.suggest("random"))
    return [
        f'<tool_call>\n{{"name": "act", "arguments": {{"move": "{move}"}}}}\n</tool_call>' for move in sorted(moves)
    ]


def tiny_model(variant: str) -> tuple[Any, Any, list[int]]:
    """Return a model with random weights, a tokenizer with Qwen3's template, and its tokens that are no calls."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer, tokenizer.decoder = pre_tokenizers.ByteLevel(False), decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=1200, special_tokens=MARKS, initial_alphabet=alphabet)
    tokenizer.train_from_iterator([TextGame(variant).rules], trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|im_end|>")
    others = [*range(len(fast))]
    fast.add_tokens(calls(variant))
    fast.chat_template = (Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja").read_text(encoding="utf-8")
    config = Qwen3Config(
        vocab_size=len(fast),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        head_dim=16,
        eos_token_id=fast.eos_token_id,
        pad_token_id=fast.pad_token_id,
    )
    return Qwen3ForCausalLM(config), fast, others


def main(command: Sequence[str] | None = None) -> None:
    """Train with the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="a name or a folder; a tiny one by default")
    parser.add_argument("--variant", default="new_york")
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--num-generations", type=int, default=4)
    parser.add_argument("--max-completion-length", type=int, default=600)
    arguments = parser.parse_args(command)
    set_seed(0)
    others: list[int] = []
    if arguments.model:
        model, tokenizer = arguments.model, AutoTokenizer.from_pretrained(arguments.model)
    else:
        model, tokenizer, others = tiny_model(arguments.variant)
    play = partial(GameTools, arguments.variant, opponents=arguments.opponents, tries=3 if arguments.model else None)
    games = Dataset.from_list([{"prompt": [{"role": "user", "content": ""}], "seed": seed} for seed in range(1000)])
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        train_dataset=games,
        environment_factory=play,
        args=GRPOConfig(
            output_dir="trl",
            max_steps=arguments.steps,
            num_generations=arguments.num_generations,
            per_device_train_batch_size=arguments.num_generations,
            max_completion_length=arguments.max_completion_length,
            generation_kwargs={"suppress_tokens": others} if others else None,
            use_cpu=not arguments.model,
            report_to="none",
            save_strategy="no",
            logging_steps=1,
            disable_tqdm=True,
        ),
    )
    trainer.train()
    logged = [it for it in trainer.state.log_history if "reward" in it]
    differing = sum(not it["frac_reward_zero_std"] for it in logged)
    print(
        f"TRL: {len(logged)} steps, {sum(it['tools/call_frequency'] for it in logged) / len(logged):.0f} calls a game, "
        f"rewards differ in {differing} groups, gradients up to {max(it['grad_norm'] for it in logged):.3f}"
    )


if __name__ == "__main__":
    main()
