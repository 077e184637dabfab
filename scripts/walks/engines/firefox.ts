import { launch, type Browser } from 'puppeteer-core'
import type { Driver, Engine, WindowOptions } from './engine.ts'
import { openScreen, type Screen } from './screen.ts'

export const firefoxPath = '/usr/bin/firefox-esr'

/**
 * Preferences of the profile for what no command of a window can set: the theme, and whether scripts may run.
 */
const preferences = ({ scheme, hasScripts }: Pick<Required<WindowOptions>, 'scheme' | 'hasScripts'>) => ({
  // Resolves hosts below `localhost` to this machine, as in the other engines.
  'network.dns.native-is-localhost': false,
  'network.dns.localDomains':
    'data.seattle.localhost,usa.localhost,world.localhost,look-seattle.localhost,look-bayern.localhost,look-india.localhost,look-fiji.localhost',
  'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1,
  'ui.prefersReducedMotion': 1,
  'javascript.enabled': hasScripts,
})

/**
 * Firefox by puppeteer-core and WebDriver BiDi. There is a process for each theme, with scripts and without. It has WebGL only on a
 * screen, by software: `hasWebGL` starts a virtual one.
 */
export function firefoxEngine({ hasWebGL = false } = {}): Engine {
  const browsers = new Map<string, Promise<Browser>>()
  let screen: Promise<Screen> | undefined
  const environment = async () => {
    if (!hasWebGL) return process.env
    screen ??= openScreen()
    return { ...process.env, DISPLAY: (await screen).display }
  }
  return {
    name: 'firefox',
    async open(look) {
      const key = `${look.scheme} ${look.hasScripts}`
      const browser =
        browsers.get(key) ??
        environment().then((env) =>
          launch({
            ...{ browser: 'firefox', executablePath: firefoxPath, headless: true, env },
            extraPrefsFirefox: preferences(look),
          }),
        )
      browsers.set(key, browser)
      return openTab(await browser, look)
    },
    async close() {
      for (const browser of browsers.values()) await (await browser).close()
      if (screen) (await screen).close()
    },
  }
}

async function openTab(browser: Browser, { width, height }: Required<WindowOptions>): Promise<Driver> {
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
