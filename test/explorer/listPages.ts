// What the explorer's lists show in a browser, and how they are filtered by an attribute.
import type { Page } from 'playwright-core';

/** The parameters of a page's address, which keep the filters of a list. */
export const parametersOf = (page: Page): URLSearchParams => new URL(page.url()).searchParams;

/** Waits until the heading of a list says how many records there are. */
export const waitForTotal = (page: Page, total: number): Promise<void> =>
  page.locator('h1 small', { hasText: new RegExp(`^${total}$`) }).waitFor();

/** A filter by an attribute, as the form below "More filters" has it. */
interface AttributeFilter {
  /** Whose attribute it is, where the list has the choice. */
  readonly where?: string;
  readonly name: string;
  readonly condition: string;
  readonly value?: string;
}

/** Filters by an attribute. The form must be open. */
export const filterByAttribute = async (
  page: Page,
  { where, name, condition, value }: AttributeFilter,
): Promise<void> => {
  if (where !== undefined) await page.getByLabel('Where').selectOption({ label: where });
  await page.locator('input[name=":name"]').fill(name);
  await page.getByLabel('Condition').selectOption({ label: condition });
  if (value !== undefined) await page.getByLabel('Value').fill(value);
  await page.getByRole('button', { name: 'Filter' }).click();
};
