import { expect } from 'vitest'
import type { Page } from './browser.ts'

/** How long what a key press asks for may take. */
export const within = { timeout: 30_000 }
type Role = 'link' | 'button' | 'textbox' | 'combobox' | 'checkbox' | 'tab' | 'menuitem' | 'searchbox'

/** A person without a mouse: uses Tab, arrows, Enter and letters, and checks where the focus is. */
export class Keyboard {
  constructor(readonly page: Page) {}

  /**
   * Presses Tab until the target has the focus; the focus must be visible at every stop. `back`: with Shift.
   */
  async to(roles: Role | Role[], name: string | RegExp, { back = false } = {}): Promise<void> {
    const target = [roles]
      .flat()
      .map((role) => this.page.getByRole(role, { name, exact: true }))
      .reduce((some, other) => some.or(other))
    await target.first().waitFor(within)
    for (let stops = 0; stops < 120; stops += 1) {
      await this.page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
      await this.expectVisibleFocus()
      if (await target.evaluateAll((all) => all.some((each) => each === document.activeElement))) return
    }
    throw new Error(`The keyboard does not come to the ${String(roles)} ${String(name)}.`)
  }

  /** Focuses the target and presses Enter. */
  async press(role: Role, name: string | RegExp, options = {}): Promise<void> {
    await this.to(role, name, options)
    await this.page.keyboard.press('Enter')
  }

  /** Opens a menu and chooses an entry with the arrow keys. */
  async choose(menu: string | RegExp, entry: string): Promise<void> {
    await this.press('button', menu)
    const target = this.page.getByRole('menuitem', { name: entry, exact: true })
    await target.waitFor(within)
    for (let steps = 0; steps < 20; steps += 1) {
      if (await target.evaluate((each) => each === document.activeElement)) break
      await this.page.keyboard.press('ArrowDown')
    }
    await this.page.keyboard.press('Enter')
  }

  async type(label: string | RegExp, text: string): Promise<void> {
    await this.to('textbox', label)
    await this.page.keyboard.press('Control+A')
    await this.page.keyboard.type(text)
  }

  /** Waits for the result of an action; the focus must not have been lost to the document. */
  async arrive(path: RegExp, heading?: string | RegExp): Promise<void> {
    await this.page.waitForURL(path, within)
    if (heading) await this.page.getByRole('heading', { name: heading }).first().waitFor(within)
    await this.expectFocus()
  }

  /** Expects some element to have the focus, not the document as a whole. */
  async expectFocus(): Promise<void> {
    const where = () => this.page.evaluate(() => document.activeElement?.tagName ?? 'none')
    await expect.poll(where, { timeout: 5000, message: this.page.url() }).not.toBe('BODY')
  }

  /** Expects the focus to be visible, once animations have finished. */
  private async expectVisibleFocus(): Promise<void> {
    let stop = await this.stop()
    for (let tries = 0; !stop.isSeen && tries < 20; tries += 1) {
      await this.page.waitForTimeout(50)
      stop = await this.stop()
    }
    expect(stop.isSeen, `${this.page.url()}: ${stop.what}`).toBe(true)
  }

  private stop(): Promise<{ what: string; isSeen: boolean }> {
    return this.page.evaluate(() => {
      const element = document.activeElement
      // After the last stop of a page the focus passes through the browser's own controls, and starts again.
      if (!element || element === document.body) return { what: 'the document', isSeen: true }
      // A hidden input is represented by its label, a field in a group by the group.
      const parts = [
        element,
        element.parentElement,
        element.nextElementSibling,
        element.closest('label, form'),
      ]
      const isMarked = parts.some((part) => {
        if (!part) return false
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(part)
        return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
      })
      const { top, bottom } = (element.closest('label') ?? element).getBoundingClientRect()
      const isInView = bottom > 0 && top < window.innerHeight
      return { what: element.outerHTML.slice(0, 120), isSeen: isMarked && isInView }
    })
  }
}
