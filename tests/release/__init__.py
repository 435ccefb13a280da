"""A release: `build` makes and checks it, `installed` installs it in an empty environment and uses it there."""
