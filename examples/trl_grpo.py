"""TRL trains a language model by GRPO: it plays by calling functions, and the game tells the reward.

A tiny model with random weights stands for yours. It calls no function, so that its games stay unfinished (reward -1):
three steps show that every part fits, not that it learns.

    python examples/trl_grpo.py
    python examples/trl_grpo.py --model Qwen/Qwen3-0.6B --steps 300 --max-completion-length 8000     # on a GPU
"""

import argparse
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


def tiny_model() -> tuple[Any, Any]:
    """Return a model with random weights and a tokenizer, which knows the words of the rules and Qwen3's template."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer, tokenizer.decoder = pre_tokenizers.ByteLevel(False), decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=600, special_tokens=MARKS, initial_alphabet=alphabet)
    tokenizer.train_from_iterator([TextGame("new_york").rules], trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|im_end|>")
    fast.chat_template = (Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja").read_text(encoding="utf-8")
    config = Qwen3Config(
        vocab_size=len(fast),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        head_dim=16,
        eos_token_id=fast.eos_token_id,
        pad_token_id=fast.pad_token_id,
    )
    return Qwen3ForCausalLM(config), fast


def main(command: Sequence[str] | None = None) -> None:
    """Train with the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="a name or a folder; a tiny one by default")
    parser.add_argument("--variant", default="new_york")
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--num-generations", type=int, default=2)
    parser.add_argument("--max-completion-length", type=int, default=64)
    arguments = parser.parse_args(command)
    set_seed(0)
    if arguments.model:
        model, tokenizer = arguments.model, AutoTokenizer.from_pretrained(arguments.model)
    else:
        model, tokenizer = tiny_model()
    games = Dataset.from_list([{"prompt": [{"role": "user", "content": ""}], "seed": seed} for seed in range(1000)])
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        train_dataset=games,
        environment_factory=partial(GameTools, arguments.variant, opponents=arguments.opponents),
        args=GRPOConfig(
            output_dir="trl",
            max_steps=arguments.steps,
            num_generations=arguments.num_generations,
            per_device_train_batch_size=arguments.num_generations,
            max_completion_length=arguments.max_completion_length,
            use_cpu=not arguments.model,
            report_to="none",
            save_strategy="no",
            logging_steps=1,
            disable_tqdm=True,
        ),
    )
    trainer.train()
    logged = [it for it in trainer.state.log_history if "reward" in it]
    calls = sum(it["tools/call_frequency"] for it in logged) / len(logged)
    print(f"TRL: {len(logged)} steps with {calls:.1f} calls each, rewards {[it['reward'] for it in logged]}")


if __name__ == "__main__":
    main()
