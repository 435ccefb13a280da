"""companies.csv: what it may hold, and the errors for a wrong company."""

from pathlib import Path

from t2r_env.variants.variant import Company
from tests.helpers.maps import load_map
from tests.variants.folders import check_refusal, refusals


def test_pa4_pa5_the_companies_are_read_in_the_order_of_their_rows(full_folder: Path) -> None:
    assert load_map(full_folder).companies == (
        Company("sbb", "Swiss Railways", 5, (9, 4)),
        Company("fs", "Italian Railways", 3, (6,)),
    )


SHARES = "sbb,Swiss Railways,5,9;4"


WRONG_COMPANIES = r"""
companies.csv:1 | id,name,shares,points | id,name,shares
    column 'points' is missing; allowed are id, name, shares, points
companies.csv:1 | id,name,shares,points | id,name,shares,points,colour
    unknown column 'colour'; allowed are id, name, shares, points
companies.csv:2 | sbb,Swiss Railways,5,9;4 | SBB,Swiss Railways,5,9;4
    id must be an id of lowercase letters a-z, digits and _, not 'SBB'
companies.csv:3 | fs,Italian Railways | sbb,Italian Railways
    id must be an id that no other company has, not 'sbb'
companies.csv:2 | sbb,Swiss Railways,5,9;4 | sbb,,5,9;4
    name must be one line of text, not ''
companies.csv:2 | sbb,Swiss Railways,5,9;4 | sbb,Swiss Railways,0,9;4
    shares must be an integer from 1 to 64, not '0'
companies.csv:2 | sbb,Swiss Railways,5,9;4 | sbb,Swiss Railways,65,9;4
    shares must be an integer from 1 to 64, not '65'
companies.csv:3 | sbb,Swiss Railways,5,9;4 | sbb,Swiss Railways,62,9;4
    the shares of all companies must be at most 64, not 65
companies.csv:2 | sbb,Swiss Railways,5,9;4 | sbb,Swiss Railways,5,
    points must be the points of 1 to 7 places with semicolons between them, not ''
companies.csv:2 | sbb,Swiss Railways,5,9;4 | sbb,Swiss Railways,5,8;7;6;5;4;3;2;1
    points must be the points of 1 to 7 places with semicolons between them, not '8;7;6;5;4;3;2;1'
companies.csv:2 | sbb,Swiss Railways,5,9;4 | sbb,Swiss Railways,5,9;;4
    points must be an integer from 0 to 100, not ''
companies.csv:2 | sbb,Swiss Railways,5,9;4 | sbb,Swiss Railways,5,9;-4
    points must be an integer from 0 to 100, not '-4'
companies.csv:2 | sbb,Swiss Railways,5,9;4 | sbb,Swiss Railways,5,101;4
    points must be an integer from 0 to 100, not '101'
"""


@refusals(
    WRONG_COMPANIES,
    (
        "companies.csv:18",
        SHARES,
        SHARES + "".join(f"\nc{number},Cable Car,1,1" for number in range(15)),
        "at most 16 companies are allowed",
    ),
)
def test_a_wrong_company_is_refused(full_folder: Path, where: str, old: str, new: str, message: str) -> None:
    check_refusal(full_folder, where, old, new, message)
