import { waitForHydration, type Page } from '../walks/browser.ts'
import { submitSignIn } from '../walks/sign-in.ts'
import type { Writer } from './fault-setup.ts'

/** Signs a writer in at an origin, and waits until the screen of `path` accepts input. */
export async function signInWriter(page: Page, origin: string, writer: Writer, path: string): Promise<void> {
  await page.goto(`${origin}/login?redirectTo=${encodeURIComponent(path)}`)
  await waitForHydration(page)
  await submitSignIn(page, writer, path)
}
