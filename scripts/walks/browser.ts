import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { findChromium } from '../chromium.ts'

const flags = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Software WebGL, for maps where there is no GPU. Of WebGL only: pages are put together faster without a GPU that is none.
  '--use-angle=swiftshader-webgl',
  '--enable-unsafe-swiftshader',
]

/** A browser without a window; `more` are further flags. */
export function openBrowser(more: string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: [...flags, ...more] })
}

interface Look {
  width?: number
  scheme?: 'light' | 'dark'
  hasScripts?: boolean
}

/**
 * What Remix writes when one navigation replaces another whose answer had begun to arrive: the person sees the second, and
 * nothing has failed.
 */
const replacedNavigation = /^AbortError: signal is aborted without reason\n[^]*\[as navigate\]/

/** A window with a fresh profile; collects what pages ask of other machines, which should be nothing. */
export async function openWindow(
  browser: Browser,
  { width = 1280, scheme = 'light', hasScripts = true }: Look = {},
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
    if (message.type() !== 'error' || replacedNavigation.test(message.text())) return
    // "Failed to load resource" does not say which.
    const { url } = message.location()
    complaints.push(url ? `${message.text()} (${url})` : message.text())
  })
  page.on('pageerror', (error) => complaints.push(`${error.stack ?? error.message} (${page.url()})`))
  // What a person would have seen then says more than what was waited for. Browsers are opened by others than tests too.
  const { onTestFailed } = await import('vitest')
  onTestFailed(async () => {
    if (page.isClosed()) return
    const text = await page.locator('body').innerText()
    console.log(`Where it failed: ${page.url()}\n${complaints.join('\n')}\n${text.slice(0, 3000)}`)
  })
  return { context, page, foreign, complaints }
}

/** How far the page is wider than its window; 0 when nothing scrolls sideways. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() =>
    Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
  )
}

/** Waits until React listens: what is chosen or typed before that is lost, as it is for a person who is that quick. */
export async function listening(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const main = document.querySelector('main')
    return main !== null && Object.keys(main).some((key) => key.startsWith('__reactProps'))
  })
}

export type { Browser, BrowserContext, Page }
