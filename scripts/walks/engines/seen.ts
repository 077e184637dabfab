import { inflateSync } from 'node:zlib'
import type { Window } from './window.ts'

/**
 * Scrolls through a page in steps, down and back, so that every part comes near the window; returns what
 * `inspectPage` gives at each step.
 */
async function scrollThrough<Value>(window: Window, inspectPage: () => Value): Promise<Value[]> {
  const results: Value[] = []
  const height = await window.evaluate(() => document.documentElement.scrollHeight)
  const tops = Array.from({ length: Math.ceil(height / 600) }, (_, i) => i * 600)
  for (const top of [...tops, ...[...tops].reverse()]) {
    await window.evaluate((to) => {
      scrollTo({ top: to, behavior: 'instant' })
      // Two frames: parts that come near are laid out in the first one.
      return new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))),
      )
    }, top)
    results.push(await window.evaluate(inspectPage))
  }
  return results
}

/**
 * Returns the heights of a page, and the lowest height of its pictures, while it is scrolled down and back,
 * in CSS pixels.
 */
export async function heightsWhileScrolling(
  window: Window,
): Promise<{ pages: number[]; lowestPicture: number }> {
  const steps = await scrollThrough(window, () => ({
    page: document.documentElement.scrollHeight,
    lowest: Math.min(
      ...[...document.querySelectorAll('.figure-plot')].map((plot) => plot.getBoundingClientRect().height),
    ),
  }))
  return {
    pages: [...new Set(steps.map(({ page }) => page))],
    lowestPicture: Math.min(...steps.map(({ lowest }) => lowest)),
  }
}

/**
 * Waits until the page's own script has attached its listeners, which happens after the page is drawn, and
 * until the fonts are loaded: the layout moves when they arrive, and a click would miss.
 */
export async function waitForListeners(window: Window): Promise<void> {
  await window.until('the page listens', () => {
    const button = document.querySelector('[data-theme-toggle]')
    const isShown = button !== null && getComputedStyle(button).visibility === 'visible'
    return isShown && 'faces' in document.documentElement.dataset && document.fonts.status === 'loaded'
  })
}

/**
 * Waits until every picture and the fonts are loaded, which changes the height of the page; returns the
 * number of pictures.
 */
export function waitForPictures(window: Window): Promise<number> {
  return window.until('every picture has come', () => {
    if (!('faces' in document.documentElement.dataset) || document.fonts.status !== 'loaded') return 0
    const plots = [...document.querySelectorAll('figure [data-plot]')]
    const isDrawn = (plot: Element) =>
      [...plot.querySelectorAll('svg')].some(
        (svg) => svg.getClientRects().length > 0 && svg.getBBox().width > 20,
      )
    return plots.every(isDrawn) ? plots.length : 0
  })
}

/** Counts the pixels of the window with a colour; each channel may differ by at most `within`. */
export async function countPixels(
  window: Window,
  [red, green, blue]: readonly [number, number, number],
  within: number,
): Promise<number> {
  const png = (await window.driver.picture()).toString('base64')
  return window.evaluate(
    async (text, colour, distance) => {
      const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: bitmap.width, height: bitmap.height })
      const context = canvas.getContext('2d')
      if (!context) return -1
      context.drawImage(bitmap, 0, 0)
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
      let count = 0
      for (let i = 0; i < data.length; i += 4)
        if (colour.every((part, at) => Math.abs(part - (data[i + at] ?? 0)) <= distance)) count += 1
      return count
    },
    png,
    [red, green, blue],
    within,
  )
}

/**
 * Returns the size of the printed page's drawing instructions in bytes, with its fonts and pictures; null
 * where the engine cannot print.
 */
async function measurePrintedBytes(window: Window): Promise<number | null> {
  const pdf = await window.driver.pdf()
  if (!pdf) return null
  let bytes = 0
  for (let at = pdf.indexOf('stream'); at >= 0; at = pdf.indexOf('stream', at + 1))
    try {
      // The line end after "stream" depends on the engine.
      bytes += inflateSync(pdf.subarray(at + (pdf[at + 6] === 13 ? 8 : 7))).length
    } catch {
      // Matches of "endstream", and streams that are not deflated.
    }
  return bytes
}

/**
 * Returns the indexes of a page's pictures that are blank when printed: hiding a picture that is drawn makes
 * the print smaller. Null where the engine cannot print.
 */
export async function blankOnPaper(window: Window): Promise<number[] | null> {
  // Tables take most of the printed sheets.
  await window.evaluate(() => document.querySelectorAll('.figure-data').forEach((table) => table.remove()))
  const whole = await measurePrintedBytes(window)
  if (whole === null) return null
  const blank: number[] = []
  const count = await window.count('.figure-plot')
  const show = (at: number, visibility: string) =>
    window.evaluate(
      (index, value) => {
        const plot = document.querySelectorAll<HTMLElement>('.figure-plot')[index]
        if (plot) plot.style.visibility = value
      },
      at,
      visibility,
    )
  for (let at = 0; at < count; at += 1) {
    await show(at, 'hidden')
    if (whole - ((await measurePrintedBytes(window)) ?? 0) < 300) blank.push(at)
    await show(at, '')
  }
  return blank
}
