"""The agent `llm:MODEL`: a language model behind a server that speaks OpenAI's protocol (docs/language_models.md).

`prompt` writes what the model is sent, `server` sends it, `agent` decides what an answer means.
"""

from t2r_agents.playing.llm.agent import LanguageModelAgent

__all__ = ["LanguageModelAgent"]
