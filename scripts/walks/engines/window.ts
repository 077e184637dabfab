import { expect } from 'vitest'
import { applyDefaultOptions, type Driver, type Engine, type Key, type WindowOptions } from './engine.ts'

/** Identifies an element by its selector and, where several match, by its text or accessible name. */
interface Target {
  css: string
  /** A part of its text, label or name. */
  text?: string
}

/**
 * Finds the target among the visible elements, scrolls it into view and returns its centre; a reason where
 * that is not possible. Runs in the page.
 */
function place({ css, text }: Target): { x: number; y: number } | string {
  const getAccessibleName = (element: Element) => {
    const labels = (element as HTMLInputElement).labels
    const labelId = element.getAttribute('aria-labelledby')
    return [
      element.getAttribute('aria-label'),
      labelId && document.getElementById(labelId)?.textContent,
      ...[...(labels ?? [])].map((label) => label.textContent),
      element.textContent,
      element.querySelector('img')?.alt,
    ].join(' ')
  }
  const all = [...document.querySelectorAll<HTMLElement>(css)].filter(
    (element) => text === undefined || getAccessibleName(element).includes(text),
  )
  const element = all.find((each) => {
    const { width, height } = each.getBoundingClientRect()
    return width > 0 && height > 0 && getComputedStyle(each).visibility === 'visible'
  })
  if (!element) return `none of ${all.length} ${css}${text === undefined ? '' : ` with "${text}"`} is seen`
  const isInWindow = ({ top, bottom }: DOMRect) => top >= 0 && bottom <= innerHeight
  if (!isInWindow(element.getBoundingClientRect()))
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
  // The bounding box of a link over two lines may be empty in the middle, so the first line's box is used.
  const { left, top, width, height } = element.getClientRects()[0] ?? element.getBoundingClientRect()
  const x = Math.min(Math.max(left + width / 2, 1), innerWidth - 1)
  const y = Math.min(Math.max(top + height / 2, 1), innerHeight - 1)
  const above = document.elementFromPoint(x, y)
  const labels = [...((element as HTMLInputElement).labels ?? [])]
  const isHit =
    above !== null && [element, ...labels].some((each) => each.contains(above) || above.contains(each))
  return isHit ? { x, y } : `${css} lies under ${above?.outerHTML.slice(0, 80) ?? 'nothing'}`
}

/** A window as a person uses it. Targets are waited for; clicks are counted. */
export class Window {
  clicks = 0
  keys = 0

  constructor(
    readonly driver: Driver,
    readonly engine: string,
  ) {}

  goto(address: string): Promise<void> {
    return this.driver.goto(address)
  }

  evaluate: Driver['evaluate'] = (run, ...values) => this.driver.evaluate(run, ...values)

  url(): Promise<string> {
    return this.evaluate(() => location.href)
  }

  /**
   * Polls the page until the function returns something truthy, 15 s at most; a page that is being left does
   * not answer.
   */
  async until<Values extends unknown[], Result>(
    what: string,
    run: (...values: Values) => Result | Promise<Result>,
    ...values: Values
  ): Promise<Result> {
    let result: Result | undefined
    let failure: unknown
    await expect
      .poll(
        async () => {
          try {
            result = await this.evaluate(run, ...values)
            failure = undefined
          } catch (error) {
            failure = error
          }
          return Boolean(result)
        },
        { timeout: 15_000, interval: 100, message: `${this.engine}: ${what}` },
      )
      .toBe(true)
    if (failure !== undefined) throw failure as Error
    return result as Result
  }

  /** Returns the centre of the target once it is visible, not covered, and did not move between two polls. */
  private async find(target: Target): Promise<{ x: number; y: number }> {
    let position: ReturnType<typeof place> = ''
    let before = ''
    const checkPosition = async () => {
      position = await this.evaluate(place, target).catch((error: unknown) => String(error))
      if (typeof position === 'string') return position
      const now = `${position.x} ${position.y}`
      const isStill = now === before
      before = now
      return isStill ? 'seen' : 'it moves'
    }
    await expect
      .poll(checkPosition, { timeout: 15_000, interval: 100, message: `${this.engine}: ${target.css}` })
      .toBe('seen')
    return position as unknown as { x: number; y: number }
  }

  /** Waits until the element is visible. */
  async waitUntilVisible(css: string, text?: string): Promise<void> {
    await this.until(
      `${css} ${text ?? ''} is seen`,
      (selector, part) =>
        [...document.querySelectorAll<HTMLElement>(selector)].some(
          (each) => each.getClientRects().length > 0 && (part === '' || each.innerText.includes(part)),
        ),
      css,
      text ?? '',
    )
  }

  /** Returns the address of a link once it can be clicked. */
  async findLinkHref(css: string, text?: string): Promise<string> {
    await this.find({ css, ...(text === undefined ? {} : { text }) })
    return this.until(
      `${css} leads somewhere`,
      (selector, part) =>
        [...document.querySelectorAll<HTMLAnchorElement>(selector)].find(
          (each) =>
            each.getClientRects().length > 0 &&
            `${each.textContent} ${each.getAttribute('aria-label')}`.includes(part),
        )?.href ?? '',
      css,
      text ?? '',
    )
  }

  async click(css: string, text?: string): Promise<void> {
    const { x, y } = await this.find({ css, ...(text === undefined ? {} : { text }) })
    await this.driver.pointer(x, y, true)
    this.clicks += 1
  }

  /** Clicks into a field and replaces its value; the click is counted. */
  async fill(css: string, text: string): Promise<void> {
    await this.click(css)
    await this.evaluate((selector) => document.querySelector<HTMLInputElement>(selector)?.select(), css)
    await this.driver.type(text)
  }

  async press(key: Key): Promise<void> {
    await this.driver.press(key)
    this.keys += 1
  }

  /** Returns the visible text of an element, once it exists. */
  async text(css: string): Promise<string> {
    await this.until(`${css} is there`, (selector) => document.querySelector(selector) !== null, css)
    return this.evaluate((selector) => document.querySelector<HTMLElement>(selector)?.innerText ?? '', css)
  }

  count(css: string): Promise<number> {
    return this.evaluate((selector) => document.querySelectorAll(selector).length, css)
  }

  /** Returns the complaints of the pages so far. */
  complaints(): string[] {
    return this.driver.complaints()
  }

  close(): Promise<void> {
    return this.driver.close()
  }
}

/** Opens a window with a fresh profile. */
export async function openIn(engine: Engine, look: WindowOptions = {}): Promise<Window> {
  return new Window(await engine.open(applyDefaultOptions(look)), engine.name)
}
