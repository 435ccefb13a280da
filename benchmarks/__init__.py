"""What measures: programs, run from the checkout, that print figures with the machine they were taken on."""
