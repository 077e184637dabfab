import type { Page } from 'playwright-core'
import { signInWriter } from './sign-in.ts'
import type { FaultSetup } from './fault-setup.ts'

/** Returns a deterministic generator of pseudo-random numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const faultNames = [
  ...['offline', 'refuse', 'busy', 'busy writes', 'busy reads', 'lose writes', 'hang writes'],
  ...['database', 'session', 'restart', 'closed tab', 'killed tab'],
] as const
type Fault = (typeof faultNames)[number]

interface Run {
  seed: number
  faults: Fault[]
  /**
   * Texts typed a second or more before a fault that are neither on the screen, nor on the device, nor on the
   * server.
   */
  lost: string[]
  /** Typed texts that are not saved in the end, or are saved twice. */
  wrong: string[]
}

const words = 'rain snow wind hail fog frost thaw flood drought storm cloud sun'.split(' ')

/**
 * Simulates someone who writes a story of two texts and adds more, while faults are injected at random
 * moments. After each fault it looks for what was typed a second or more before; in the end, without faults,
 * everything must be saved exactly once.
 */
export async function run(
  seed: number,
  { setup, open }: { setup: FaultSetup; open(): Promise<Page> },
): Promise<Run> {
  const random = createRandom(seed)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const pageId = `run-${seed}`
  const path = `/pages/storytelling/${pageId}/modify`
  await setup.makePage(pageId, 'storytelling', 2)
  let page = await open()
  await signInWriter(page, setup.origin, setup.ada, path)
  const result: Run = { seed, faults: [], lost: [], wrong: [] }
  const typedTexts: string[] = []
  const texts = () => page.locator('.block').getByRole('textbox', { name: /^Text/ })
  await texts().first().waitFor()

  const write = async () => {
    const word = `${pick(words)}${seed}x${typedTexts.length}`
    const isAdding = random() < 0.25
    if (isAdding)
      await page.locator('.add-block.is-last').getByRole('button', { name: 'Text', exact: true }).click()
    else {
      await texts()
        .nth(Math.floor(random() * (await texts().count())))
        .click()
      await page.keyboard.press('Control+End')
    }
    await page.keyboard.type(` ${word}`, { delay: 5 })
    typedTexts.push(word)
  }
  const where = async () => {
    const [visibleText, storedText, savedTexts] = await Promise.all([
      page.locator('body').innerText(),
      page.evaluate(() => JSON.stringify({ ...localStorage })),
      setup.readTexts(pageId),
    ])
    return visibleText + storedText + savedTexts.join()
  }
  const checkTexts = async (fault: Fault, before: readonly string[]) => {
    const matches = await where()
    for (const word of before) if (!matches.includes(word)) result.lost.push(`${word} after ${fault}`)
    if (/Something went wrong|System Maintenance/.test(matches)) result.lost.push(`the screen after ${fault}`)
  }

  const rounds = 2 + Math.floor(random() * 3)
  for (let round = 0; round < rounds; round += 1) {
    const fault = pick(faultNames)
    result.faults.push(fault)
    for (let i = 0; i <= random() * 2; i += 1) await write()
    await page.waitForTimeout(1000 + random() * 1500)
    const before = [...typedTexts]
    const end = await begin(fault)
    if (fault !== 'closed tab' && fault !== 'killed tab') {
      await write()
      await page.waitForTimeout(500 + random() * 3000)
    }
    await checkTexts(fault, before)
    await end()
    if (random() < 0.5) await page.waitForTimeout(random() * 2000)
  }

  async function begin(fault: Fault): Promise<() => Promise<void>> {
    const [mode, only] = fault.split(' ')
    if (fault === 'offline') {
      await page.context().setOffline(true)
      return () => page.context().setOffline(false)
    }
    if (fault === 'database') {
      setup.gate.shut()
      return async () => setup.gate.open()
    }
    if (fault === 'restart') {
      const restarted = setup.restart()
      return () => restarted
    }
    if (fault === 'session') {
      await setup.endSessions(setup.ada)
      return async () => {
        const other = await page.context().newPage()
        await signInWriter(other, setup.origin, setup.ada, '/home')
        await other.close()
      }
    }
    if (fault === 'closed tab' || fault === 'killed tab') {
      await reopen(fault === 'killed tab')
      return async () => {}
    }
    setup.proxy.set(mode as 'busy', only as 'reads' | undefined)
    return async () => setup.proxy.set('pass')
  }

  /** Closes the tab (or crashes its process), opens it again and accepts the offered drafts. */
  async function reopen(isKilled: boolean) {
    const context = page.context()
    const next = await context.newPage()
    if (isKilled) {
      const session = await context.newCDPSession(page)
      void session.send('Page.crash').catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    await page.close({ runBeforeUnload: false }).catch(() => {})
    page = next
    await page.goto(setup.origin + path)
    await texts().first().waitFor()
    await page.waitForTimeout(800)
    const offers = page
      .locator('.kept-offer')
      .getByRole('button', { name: /^(?:Use my text|Add it to the page)$/ })
    while ((await offers.count()) > 0) {
      await offers.first().click()
      await page.waitForTimeout(100)
    }
  }

  setup.proxy.set('pass')
  setup.gate.open()
  await page.context().setOffline(false)
  const deadline = Date.now() + 90_000
  let savedText = ''
  do {
    await page.waitForTimeout(500)
    const tries = page.getByRole('button', { name: 'Try now' })
    if (await tries.count())
      await tries
        .first()
        .click({ timeout: 1000 })
        .catch(() => {})
    savedText = (await setup.readTexts(pageId)).join()
  } while (
    Date.now() < deadline &&
    (typedTexts.some((word) => !savedText.includes(word)) ||
      !(await page.getByText('Everything is saved.').count()))
  )
  const state = await page.locator('.editor').innerText()
  if (!state.includes('Everything is saved.')) result.wrong.push(`not all is saved in the end: ${state}`)
  for (const word of typedTexts) {
    const times = savedText.split(new RegExp(`${word}(?![0-9])`)).length - 1
    if (times !== 1) result.wrong.push(`${word} is saved ${times} times`)
  }
  if (await page.getByText('Someone else changed this').count()) result.wrong.push('a conflict with oneself')
  await page.context().close()
  return result
}
