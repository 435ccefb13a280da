"""What a type checker tells the authors of programs that use the library.

The calls at the end are checked by `make check`, which also says so where it finds no error that an ignore is for.
"""

from typing import TYPE_CHECKING, assert_type

import pytest

from t2r_env import VARIANTS, Options, configure


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_types_name_all_options(variant: str) -> None:
    assert configure(variant).options.keys() <= Options.__annotations__.keys()


if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    import t2r_env

    # What is allowed
    games = t2r_env.Games("usa", 3, batch=2, tickets="mega", turn_limit=50, seed=None)
    games.step(np.zeros(2, np.uint8), rows=[0, 1])
    assert_type(games.current, NDArray[np.int64])
    assert_type(games.seeds, NDArray[np.uint64])
    options: Options = {"advanced_technologies": True}
    env = t2r_env.env("united_kingdom", reward="score", **options)
    observation, *_ = env.last()
    env.step(observation["action_mask"].argmax())

    # What is not
    games.step("x")  # type: ignore[arg-type]
    games.step([0.5])  # type: ignore[list-item]
    games.step([0], rows="x")  # type: ignore[arg-type]
    games.reset(seeds="x")  # type: ignore[arg-type]
    t2r_env.Games("usa", tickets=1)  # type: ignore[arg-type]
    t2r_env.Games("usa", reward="money")  # type: ignore[arg-type]
    t2r_env.Games("usa", ticket="mega")  # type: ignore[call-arg]
    t2r_env.env("usa", ticket="mega")  # type: ignore[call-arg]
    configure("usa", ticket="mega")  # type: ignore[call-arg]
    t2r_env.usa_v0.env("usa")  # type: ignore[arg-type]
    t2r_env.trajectories("usa", games=1, ticket="mega")  # type: ignore[call-arg]
