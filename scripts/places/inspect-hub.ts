import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { violationsIn } from '../walks/axe.ts'
import type { Engine, WindowOptions } from '../walks/engines/engine.ts'
import { countPixels, waitForPictures, waitForListeners } from '../walks/engines/seen.ts'
import { openIn, type Window } from '../walks/engines/window.ts'
import type { InspectedHub } from './hubs.ts'
import { mapPaths } from './seed.ts'

export const pictures = new URL('../../.cache/places/pictures/', import.meta.url).pathname

export const looks: (Pick<Required<WindowOptions>, 'width' | 'scheme'> & { height: number })[] = [
  { width: 1280, height: 900, scheme: 'light' },
  { width: 1280, height: 900, scheme: 'dark' },
  { width: 390, height: 844, scheme: 'light' },
  { width: 390, height: 844, scheme: 'dark' },
]

/** The number of screenshots, and the problems found, each named with its screenshot. */
export interface LookReport {
  pictures: number
  live: number
  faults: string[]
}

interface LookOptions {
  hub: InspectedHub
  look: (typeof looks)[number]
  port: number
}

/**
 * Takes screenshots of both maps of a hub, still and live, in a browser; they are written to
 * `.cache/places/pictures`. Reports problems: labels of the still map, coverage, number of shapes, errors of
 * pages.
 */
export async function inspectHub(
  engine: Engine,
  { hub, look, port }: LookOptions,
  outcome: LookReport,
): Promise<void> {
  mkdirSync(pictures, { recursive: true })
  const window = await openIn(engine, look)
  try {
    for (const [kind, path] of Object.entries(mapPaths(hub))) {
      const name = `${hub.id}-${kind}-${engine.name}-${look.width}-${look.scheme}`
      const fault = (message: string) => void outcome.faults.push(`${name}: ${message}`)
      try {
        await window.goto(`http://${hub.id}.localhost:${port}${path}`)
        await inspectMap(window, { hub, kind, name, fault }, outcome)
      } catch (error) {
        fault(String(error).split('\n')[0] ?? '')
      }
    }
    for (const complaint of window.complaints())
      outcome.faults.push(`${hub.id} in ${engine.name}: the console says ${complaint}`)
  } finally {
    await window.close()
  }
}

interface MapView {
  hub: InspectedHub
  kind: string
  name: string
  fault(message: string): void
}

async function inspectMap(window: Window, view: MapView, result: LookReport): Promise<void> {
  const { hub, kind, name, fault } = view
  const shot = async (of: string) => {
    await window.evaluate(() =>
      document
        .querySelector('[data-map] [data-plot]')
        ?.scrollIntoView({ block: 'center', behavior: 'instant' }),
    )
    writeFileSync(join(pictures, `${name}-${of}.png`), await window.driver.picture())
    result.pictures += 1
  }
  await waitForPictures(window)
  await waitForListeners(window)
  await shot('still')
  const still = await window.evaluate(readStill)
  if (!hub.names.some((town) => still.names.includes(town)))
    fault(`the picture names none of ${hub.names.join(', ')}, but ${still.names.join(', ')}`)
  if (still.drawn < 5) fault(`the picture has only ${still.drawn} shapes`)
  if (still.beyond > 1) fault(`the page is ${still.beyond} px wider than its window`)
  await window.evaluate(() => {
    addEventListener('hub:report', (event) => {
      document.documentElement.dataset['reported'] = String((event as CustomEvent).detail)
    })
  })
  await window.click('[data-map] [data-explore]')
  const outcome = await window.until('the map lives or says why not', () => {
    if (document.querySelector('figure[data-map].is-live canvas.maplibregl-canvas')) return 'live'
    return document.querySelector('.figure-failed')?.textContent
  })
  if (outcome !== 'live') {
    const reason = await window.evaluate(() => document.documentElement.dataset['reported'])
    fault(`the map does not live: ${outcome} (${reason})`)
    return
  }
  result.live += 1
  // Waits until tiles are loaded and drawn, which takes a while without a graphics card.
  await window.evaluate(() => new Promise((resolve) => setTimeout(resolve, 4000)))
  await shot('live')
  const label = await window.evaluate(labelColour)
  const lettered = await countPixels(window, label, 40)
  if (lettered < 150) fault(`the live map has ${lettered} pixels in the colour of names`)
  if (kind === 'points') {
    await moveThereAndBack(window)
    checkFrame(await window.url(), view)
    const parts = await window.evaluate(() =>
      [...document.querySelectorAll('.map-parts button')].slice(1).map((button) => button.textContent),
    )
    if (String(parts) !== String(hub.farParts))
      fault(`buttons lead to ${String(parts)}, not ${String(hub.farParts)}`)
  }
  // Axe checks the same elements in each browser, so one is enough.
  if (window.engine === 'chromium') for (const violation of await violationsIn(window)) fault(violation)
}

/**
 * Reads the labels of a map's picture, the number of its shapes, and by how much the page overflows the
 * window. A picture in a separate file is fetched from where the page refers to it. Runs in the page.
 */
async function readStill() {
  const plot = document.querySelector('[data-map] [data-plot]')
  const visible = [...(plot?.querySelectorAll('svg') ?? [])].find((svg) => svg.getClientRects().length > 0)
  const reference = visible?.querySelector('use')?.getAttribute('href') ?? ''
  const [file, part] = reference.split('#')
  const externalDrawing = file
    ? new DOMParser()
        .parseFromString(await (await fetch(file)).text(), 'image/svg+xml')
        .getElementById(part ?? '')
    : null
  const drawing = externalDrawing ?? visible
  return {
    names: [...(drawing?.querySelectorAll('text') ?? [])].map((each) => each.textContent ?? ''),
    drawn: drawing?.querySelectorAll('path, circle').length ?? 0,
    beyond: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }
}

/** Reads the colour of labels on the map as red, green and blue. Runs in the page. */
function labelColour(): [number, number, number] {
  const probe = document.createElement('span')
  probe.style.color = 'var(--map-label, CanvasText)'
  document.body.appendChild(probe)
  const [red = 0, green = 0, blue = 0] =
    getComputedStyle(probe)
      .color.match(/[\d.]+/g)
      ?.map(Number) ?? []
  probe.remove()
  return [red, green, blue]
}

/** Zooms in and back out, after which the address contains the extent of the live map. */
async function moveThereAndBack(window: Window): Promise<void> {
  for (const way of ['in', 'out']) {
    await window.click(`.maplibregl-ctrl-zoom-${way}`)
    await window.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1500)))
  }
}

/**
 * Checks that a live map covers its place and not much more: for a country beyond the antimeridian it must
 * not show the whole world.
 */
function checkFrame(address: string, { hub, fault }: MapView): void {
  const [, text] = /bbox=([^&]*)/.exec(decodeURIComponent(address)) ?? []
  const [west = NaN, south = NaN, east = NaN, north = NaN] = text?.split(',').map(Number) ?? []
  const [left, bottom, right, top] = hub.covers
  // Longitudes may be shifted by a full turn.
  const turn = Math.round((left - west) / 360) * 360
  const covers = west + turn <= left && south <= bottom && east + turn >= right && north >= top
  if (!covers) fault(`the live map shows ${text}, not all of ${hub.covers.join(',')}`)
  const most = Math.max(4 * (right - left), 12)
  if (!(east - west <= most)) fault(`the live map shows ${text}, more than ${most}° of ${hub.name}`)
}
