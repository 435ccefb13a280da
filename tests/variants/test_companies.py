"""companies.csv: what it may hold, and the errors for a wrong company."""

from pathlib import Path

from t2r_env.variants.variant import Company
from tests.helpers.maps import load_map
from tests.variants.folders import change, check_refusal, refusal, refusals


def test_pa4_pa5_the_companies_are_read_in_the_order_of_their_rows(full_folder: Path) -> None:
    assert load_map(full_folder).companies == (
        Company("sbb", "Swiss Railways", 5, (9, 4)),
        Company("fs", "Italian Railways", 3, (6,)),
    )


def test_the_most_companies_shares_ranks_symbols_and_trains_are_allowed(full_folder: Path) -> None:
    companies = [f"c{number},Company {number},4,100;6;5;4;3;2;0" for number in range(15)]
    (full_folder / "companies.csv").write_text(
        "\n".join(["id,name,shares,points", "sbb,Swiss Railways,1,9", *companies])
    )
    shown = ";".join(["sbb", "fs", *(f"c{number}" for number in range(1, 15))])
    change(full_folder / "companies.csv", "c0,Company 0,4", "fs,Italian Railways,7")
    change(full_folder / "routes.csv", "bern,lugano,0,4,gray,2,0,fs;sbb", f"bern,lugano,0,4,gray,4,11,{shown}")
    variant = load_map(full_folder)
    assert (len(variant.companies), sum(company.shares for company in variant.companies)) == (16, 64)
    assert {len(company.points) for company in variant.companies} == {1, 7}
    assert (variant.routes[3].ferry, variant.routes[3].length + variant.routes[3].mountain) == (4, 15)


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


def test_the_companies_on_routes_need_a_file_of_companies(full_folder: Path) -> None:
    (full_folder / "companies.csv").unlink()
    change(full_folder / "variant.toml", "neutral_shareholder_up_to = 2", "neutral_shareholder_up_to = 0")
    assert refusal(full_folder) == ("routes.csv:2: companies must be empty without a file companies.csv, not 'sbb'")


def test_a_neutral_player_needs_a_file_of_companies(folder: Path) -> None:
    change(folder / "variant.toml", "trains = 15", "trains = 15\nneutral_shareholder_up_to = 2")
    assert refusal(folder) == ("variant.toml: neutral_shareholder_up_to must be 0 without a file companies.csv, not 2")


def test_a_company_that_no_route_shows_is_refused(full_folder: Path) -> None:
    with (full_folder / "companies.csv").open("a") as file:
        file.write("xyz,Nowhere,3,5\n")
    assert refusal(full_folder) == "routes.csv:10: companies must name 'xyz' of companies.csv in one row at least"


def test_a_file_of_companies_that_cannot_be_read_is_an_error(full_folder: Path) -> None:
    (full_folder / "companies.csv").unlink()
    (full_folder / "companies.csv").mkdir()
    assert refusal(full_folder) == "companies.csv: must be a file that can be read (Is a directory)"
