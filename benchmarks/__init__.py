"""Programs that measure speed and strength (run from the checkout), and name the machine they ran on."""
