"""Layouts: segments that have room for those of games with several numbers of players."""

import numpy as np

from t2r_env.core.layout import Segment, Segments

TWO = Segments.of([("score", (2,), "points"), ("hand", (9,), "cards"), ("known", (2, 3), "cards")])
THREE = Segments.of([("score", (3,), "points"), ("hand", (9,), "cards"), ("known", (3, 3), "cards")])


def test_covering_segments_have_the_most_rows_of_each_name_in_their_order() -> None:
    for layouts in ([TWO, THREE], [THREE, TWO], [THREE]):
        assert Segments.covering(layouts).shapes == THREE.shapes
    assert Segments.covering([]).size == 0
    others = Segments.of([("phase", (5,), "")])
    assert [*Segments.covering([TWO, others]).shapes] == ["score", "hand", "known", "phase"]


def test_vectors_fit_by_name_and_zeros_stand_for_the_rows_that_are_missing() -> None:
    vectors = np.arange(1, 35, dtype=np.uint8).reshape(2, 17)
    fitted = THREE.fit(vectors, TWO)
    assert fitted.dtype == np.uint8
    for row in range(2):
        for name, segment in THREE.items():
            given = vectors[row, TWO[name].slice]
            assert fitted[row, segment.slice].tolist() == [*given, *[0] * (segment.size - given.size)]
    assert TWO.fit(vectors, TWO) is vectors
    assert TWO.fit(fitted, THREE).tolist() == vectors.tolist()
    assert Segments.of([("known", (2, 3), "")]).fit(vectors, TWO).tolist() == vectors[:, 11:].tolist()


def test_a_segment_has_room_for_fewer_rows_but_not_for_other_columns() -> None:
    assert THREE.has_room_for(TWO["known"])
    assert not TWO.has_room_for(THREE["known"])
    assert not THREE.has_room_for(Segment("known", 0, (2, 4), ""))
    assert not THREE.has_room_for(Segment("unknown", 0, (2, 3), ""))
