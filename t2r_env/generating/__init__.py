"""Generated maps: made-up boards from seeds, as many as are wanted (docs/generated_maps.md)."""

from t2r_env.generating.maps import RULES, USUAL_RULES, generate_map, write_map

__all__ = ["RULES", "USUAL_RULES", "generate_map", "write_map"]
