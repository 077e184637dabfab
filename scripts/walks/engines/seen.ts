import { inflateSync } from 'node:zlib'
import type { Window } from './window.ts'

/** The steps in which a page is scrolled through, so that each part is come near to, and back. */
async function scrollThrough<Value>(window: Window, look: () => Value): Promise<Value[]> {
  const results: Value[] = []
  const height = await window.evaluate(() => document.documentElement.scrollHeight)
  const tops = Array.from({ length: Math.ceil(height / 600) }, (_, i) => i * 600)
  for (const top of [...tops, ...[...tops].reverse()]) {
    await window.evaluate((to) => {
      scrollTo({ top: to, behavior: 'instant' })
      // Two frames: what is come near to is laid out in the first one.
      return new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))),
      )
    }, top)
    results.push(await window.evaluate(look))
  }
  return results
}

/** How high a page and the lowest of its pictures were while it was scrolled through and back, in CSS pixels. */
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
 * Ends when the page's own script listens, which comes when the page has been drawn, and the faces of the text have come: what moves
 * by them is pressed beside.
 */
export async function untilWired(window: Window): Promise<void> {
  await window.until('the page listens', () => {
    const button = document.querySelector('[data-theme-toggle]')
    const isShown = button !== null && getComputedStyle(button).visibility === 'visible'
    return isShown && 'faces' in document.documentElement.dataset && document.fonts.status === 'loaded'
  })
}

/** Waits until each picture and the faces of the text have come, which make it higher; says how many pictures there are. */
export function untilDrawn(window: Window): Promise<number> {
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

/** How many pixels of what the window shows have a colour, each part at most `within` away from it. */
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

/** How many bytes of drawing a page is on paper, its fonts and pictures included; null where the engine cannot print. */
async function printedBytes(window: Window): Promise<number | null> {
  const pdf = await window.driver.pdf()
  if (!pdf) return null
  let bytes = 0
  for (let at = pdf.indexOf('stream'); at >= 0; at = pdf.indexOf('stream', at + 1))
    try {
      // Its line ends as the engine has it.
      bytes += inflateSync(pdf.subarray(at + (pdf[at + 6] === 13 ? 8 : 7))).length
    } catch {
      // "endstream", and what is not deflated.
    }
  return bytes
}

/**
 * The pictures of a page that are blank on paper, by their place on it: to leave out one that is drawn takes bytes away. Null where
 * the engine cannot print.
 */
export async function blankOnPaper(window: Window): Promise<number[] | null> {
  // Tables take most of the sheets.
  await window.evaluate(() => document.querySelectorAll('.figure-data').forEach((table) => table.remove()))
  const whole = await printedBytes(window)
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
    if (whole - ((await printedBytes(window)) ?? 0) < 300) blank.push(at)
    await show(at, '')
  }
  return blank
}
