import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { findChromium } from '../chromium.ts'

const flags = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Software WebGL, for maps without a GPU. Only for WebGL: compositing is faster without an emulated GPU.
  '--use-angle=swiftshader-webgl',
  '--enable-unsafe-swiftshader',
]

/** Launches a headless browser; `more` are further flags. */
export function openBrowser(more: string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: [...flags, ...more] })
}

interface WindowOptions {
  width?: number
  scheme?: 'light' | 'dark'
  hasScripts?: boolean
}

/**
 * The message that Remix logs when one navigation or load replaces another whose response had begun to arrive: not an
 * error for the person, who sees the second.
 */
const replacedRequest = /^AbortError: signal is aborted without reason\n[^]*\[as (?:navigate|fetch)\]/

/**
 * Opens a window with a fresh profile; collects requests to other hosts, of which there should be none, and
 * other complaints.
 */
export async function openWindow(
  browser: Browser,
  { width = 1280, scheme = 'light', hasScripts = true }: WindowOptions = {},
) {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    javaScriptEnabled: hasScripts,
    reducedMotion: 'reduce',
  })
  const foreign: string[] = []
  const complaints: string[] = []
  context.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && !/(^|\.)localhost$/.test(hostname)) foreign.push(request.url())
  })
  const page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() !== 'error' || replacedRequest.test(message.text())) return
    // "Failed to load resource" does not include the address.
    const { url } = message.location()
    complaints.push(url ? `${message.text()} (${url})` : message.text())
  })
  page.on('pageerror', (error) => complaints.push(`${error.stack ?? error.message} (${page.url()})`))
  // The text of the page says more than the timeout that failed. Imported lazily, because not only tests open
  // browsers.
  const { onTestFailed } = await import('vitest')
  onTestFailed(async () => {
    if (page.isClosed()) return
    const text = await page.locator('body').innerText()
    console.log(`Where it failed: ${page.url()}\n${complaints.join('\n')}\n${text.slice(0, 3000)}`)
  })
  return { context, page, foreign, complaints }
}

/** By how many pixels the page overflows its window horizontally; 0 without horizontal scrolling. */
export function measureOverflow(page: Page): Promise<number> {
  return page.evaluate(() =>
    Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
  )
}

/** Waits until React has hydrated the page: input before that is lost, as it is for a very quick person. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const main = document.querySelector('main')
    return main !== null && Object.keys(main).some((key) => key.startsWith('__reactProps'))
  })
}

export type { Browser, BrowserContext, Page }
