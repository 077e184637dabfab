import { openBrowser } from '../browser.ts'
import type { Driver, Engine, WindowOptions } from './engine.ts'

/** Chromium by playwright-core, as in all other walks. */
export function chromiumEngine(): Engine {
  let browser: ReturnType<typeof openBrowser> | undefined
  return {
    name: 'chromium',
    open: async (look) => openTab(await (browser ??= openBrowser()), look),
    close: async () => (await browser)?.close(),
  }
}

async function openTab(
  browser: Awaited<ReturnType<typeof openBrowser>>,
  { width, height, scheme, hasScripts }: Required<WindowOptions>,
): Promise<Driver> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    javaScriptEnabled: hasScripts,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => complaints.push(`${error.message} (${page.url()})`))
  return {
    goto: async (address) => void (await page.goto(address)),
    back: async () => void (await page.goBack()),
    evaluate: async (run, ...values) =>
      (await page.evaluate(`(${String(run)})(...${JSON.stringify(values)})`)) as Awaited<
        ReturnType<typeof run>
      >,
    async pointer(x, y, isPressed) {
      await page.mouse.move(x, y)
      if (isPressed) await page.mouse.click(x, y)
    },
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    picture: () => page.screenshot(),
    pdf: () => page.pdf({ format: 'A4', printBackground: true }),
    complaints: () => complaints,
    close: () => context.close(),
  }
}
