import { launch, type Browser } from 'puppeteer-core'
import type { Driver, Engine, Look } from './engine.ts'

export const firefoxPath = '/usr/bin/firefox-esr'

/**
 * Preferences of the profile for what no command of a window can set: the theme, and whether scripts may run.
 */
const preferences = ({ scheme, hasScripts }: Pick<Required<Look>, 'scheme' | 'hasScripts'>) => ({
  // Resolves hosts below `localhost` to this machine, as in the other engines.
  'network.dns.native-is-localhost': false,
  'network.dns.localDomains':
    'data.seattle.localhost,usa.localhost,world.localhost,look-seattle.localhost,look-bayern.localhost,look-india.localhost,look-fiji.localhost',
  'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1,
  'ui.prefersReducedMotion': 1,
  'javascript.enabled': hasScripts,
})

/**
 * Firefox by puppeteer-core and WebDriver BiDi, without WebGL. There is a process for each theme, with
 * scripts and without.
 */
export function firefoxEngine(): Engine {
  const browsers = new Map<string, Promise<Browser>>()
  return {
    name: 'firefox',
    async open(look) {
      const key = `${look.scheme} ${look.hasScripts}`
      const browser =
        browsers.get(key) ??
        launch({
          browser: 'firefox',
          executablePath: firefoxPath,
          headless: true,
          extraPrefsFirefox: preferences(look),
        })
      browsers.set(key, browser)
      return openTab(await browser, look)
    },
    async close() {
      for (const browser of browsers.values()) await (await browser).close()
    },
  }
}

async function openTab(browser: Browser, { width, height }: Required<Look>): Promise<Driver> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.setViewport({ width, height })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url ?? ''})`)
  })
  page.on('pageerror', (error) => complaints.push(`${String(error)} (${page.url()})`))
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
    picture: async () => Buffer.from(await page.screenshot()),
    pdf: async () => Buffer.from(await page.pdf({ format: 'A4', printBackground: true })),
    complaints: () => complaints,
    close: () => context.close(),
  }
}
