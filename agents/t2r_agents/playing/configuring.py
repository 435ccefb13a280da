"""The configuration that agents play together: policies may say which."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from t2r_env import Configuration, configure
from t2r_env.agents import is_policy_file

if TYPE_CHECKING:
    from t2r_agents.playing.policy import Policy


def configure_for(
    agents: Sequence[str], variant: str | None, num_players: int | None, options: Mapping[str, Any]
) -> Configuration:
    """Return what is given, and for the rest the first configuration that all policies among the agents agree on.

    Policies are those whose files are named, as in `FILE`, `policy:FILE` and `ismcts:100,FILE`. Without any, or if they
    don't agree, what is not given is as in `t2r_env.configure`, of the variant `usa`.

    Raises ValueError, TypeError or OSError for what is not allowed, and PolicyError for a file that is no policy.
    """
    own = configure(variant).variant.id if variant is not None else None
    first, *others = [policy.identities for policy in _policies(agents)] or [()]
    for identity in first:
        trained: Mapping[str, Any] = identity["options"]
        if (
            all(identity in identities for identities in others)
            and own in (None, identity["variant"])
            and all(trained.get(name) == value for name, value in options.items())
        ):
            number = identity["num_players"] if num_players is None else num_players
            return configure(variant or identity["variant"], number, **trained)
    return configure("usa" if variant is None else variant, num_players, **options)


def _policies(agents: Sequence[str]) -> Iterator["Policy"]:
    for agent in agents:
        start, _, argument = agent.partition(":")
        if is_policy_file(agent):
            path = agent
        else:  # other agents may have any argument, a file that ends alike, too
            path = {"policy": argument, "ismcts": argument.partition(",")[2]}.get(start, "")
        if path not in ("", "policy"):
            from t2r_agents.playing.policy import Policy  # which needs an extra

            yield Policy.load(path)
