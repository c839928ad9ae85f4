"""Audit in the browser: every claim with its value, verdict and query, and links to the exhibits."""

import csv
import io

from playwright.sync_api import expect

VERDICTS = {
    "83.67 – 84.77 %": "cut off",
    "0.0 – 66.2 %": "exact",
    "526": "exact",
    "71.85 %": "right",
}


def rows(app):
    return list(csv.DictReader(io.StringIO(app.download("All claims (CSV)"))))


def test_every_claim_has_its_value_and_verdict(app):
    app.open("audit")
    found = {row["data now"]: row["verdict"] for row in rows(app)}
    assert len(found) == 7
    for value, verdict in VERDICTS.items():
        assert verdict in found[value], found[value]
        expect(app.main).to_contain_text(value)


def test_the_query_behind_a_claim_opens(app):
    app.open("audit")
    expander = app.main.get_by_text("The query behind it").first
    expander.click()
    code = app.main.locator("[data-testid=stCode]").first
    expect(code).to_be_visible()
    expect(code).to_contain_text("SELECT")
    expect(code).to_contain_text("berts-of-a-feather")
    expect(app.main).to_contain_text("What the public data here cannot show")
    expect(app.main).to_contain_text("fetch feather")


def test_exhibits_lead_to_their_pages(app):
    app.open("audit")
    links = app.main.locator("[data-testid=stPageLink] a")
    assert links.count() >= 3
    links.first.click()
    expect(app.main.locator("h1")).not_to_contain_text("Audit")
    app.settle()
    assert app.main.locator(".js-plotly-plot").count() or app.main.locator("[data-testid=stDataFrame]").count()
