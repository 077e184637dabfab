import type { Map as LiveMap } from 'maplibre-gl'
import { hatchColour, hatchOpacity, hatchSign } from '#functions/engine/map/hatch.ts'
import { islandTexts } from './island-words.ts'
import { buildElement } from './build-element.ts'
import type { MapData } from './map-data.ts'
import { fileName, saveFile } from './save-file.ts'
import type { Report } from './search.ts'
import { currentTheme, type Theme } from './theme.ts'

/** A copy of the map's picture: browsers discard the drawing buffer after showing it. */
export function copyMapPicture(map: LiveMap): HTMLCanvasElement {
  map.redraw()
  const canvas = map.getCanvas()
  const still = buildElement('canvas', { width: canvas.width, height: canvas.height })
  still.getContext('2d')?.drawImage(canvas, 0, 0)
  return still
}

/** Milliseconds after which a map is taken as it is: tiles that fail may be missing for long. */
const maxWaitMs = 10_000

/** Resolves when the map has drawn all it has, or after `maxWaitMs`. */
function waitForDrawing(map: LiveMap): Promise<unknown> {
  map.triggerRepaint()
  return Promise.race([map.once('idle'), new Promise((resolve) => setTimeout(resolve, maxWaitMs))])
}

/** A copy of the map in light colours; meanwhile the reader sees the one in the colours of the page. */
async function copyLightPicture(
  map: LiveMap,
  box: HTMLElement,
  restyle: (theme: Theme) => void,
): Promise<HTMLCanvasElement> {
  const cover = copyMapPicture(map)
  cover.className = 'map-cover'
  box.appendChild(cover)
  try {
    restyle('light')
    await waitForDrawing(map)
    return copyMapPicture(map)
  } finally {
    restyle(currentTheme())
    void waitForDrawing(map).then(() => cover.remove())
  }
}

/** For each live map of the page, what it has to do before it is printed from the dark theme. */
const preparations = new Set<() => Promise<void>>()
let isPreparing = false

/** Answers the keys for printing in the dark theme: prints when the maps are redrawn, for which browsers do not wait. */
function printByKeys(event: KeyboardEvent) {
  const isWithCommand = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
  const isPrint = isWithCommand && event.key.toLowerCase() === 'p'
  if (!isPrint || currentTheme() !== 'dark' || preparations.size === 0) return
  event.preventDefault()
  printView()
}

/** Prints the page, from the dark theme when its maps are redrawn in light colours. */
function printView() {
  if (currentTheme() !== 'dark') return print()
  if (isPreparing) return
  isPreparing = true
  void Promise.allSettled([...preparations].map((prepare) => prepare())).then(() => {
    isPreparing = false
    print()
  })
}

/**
 * Prints the map in its current state, in light colours, as paper and legend are light. From the dark theme it is redrawn
 * for that after the keys for printing and the button; a menu of the browser does not wait, and prints the page's static picture.
 * `restyle`: draws the map in a theme. Gives the function that undoes it.
 */
export function printAsShown(box: HTMLElement, map: LiveMap, restyle: (theme: Theme) => void): () => void {
  let light: HTMLCanvasElement | undefined
  let printCanvas: HTMLCanvasElement | undefined
  const prepare = async () => {
    light = await copyLightPicture(map, box, restyle)
  }
  const renderPrint = () => {
    printCanvas = light ?? (currentTheme() === 'dark' ? undefined : copyMapPicture(map))
    if (!printCanvas) return
    printCanvas.className = 'map-printed'
    box.appendChild(printCanvas)
  }
  const removePrintCanvas = () => {
    printCanvas?.remove()
    light = undefined
  }
  preparations.add(prepare)
  addEventListener('keydown', printByKeys)
  addEventListener('beforeprint', renderPrint)
  addEventListener('afterprint', removePrintCanvas)
  return () => {
    preparations.delete(prepare)
    removeEventListener('beforeprint', renderPrint)
    removeEventListener('afterprint', removePrintCanvas)
    removePrintCanvas()
  }
}

interface Sign {
  label: string
  fill: string
  /** The entry for regions without a value. */
  isHatched: boolean
}

/** The figure of a map, with its switches and list where it has them. */
const partOfPage = (figure: HTMLElement) => figure.closest<HTMLElement>('[data-map-split]') ?? figure

/** Whether a switch is on; true without one. */
const isOn = (figure: HTMLElement, key: string) =>
  partOfPage(figure).querySelector<HTMLInputElement>(`[data-map-switch="${key}"]`)?.checked ?? true

/** Signs below a picture, with the title of what they stand for; '' for none. */
interface Key {
  title: string
  signs: Sign[]
}

/** The colours of the enabled layers, and the enabled entries of the figure's legend if it is shown. */
function listLegendKeys(figure: HTMLElement): Key[] {
  const layers = [...partOfPage(figure).querySelectorAll<HTMLElement>('label:has([data-map-switch])')]
  const legend = figure.querySelector<HTMLElement>('.legend')
  const isShown = legend !== null && getComputedStyle(legend).display !== 'none'
  const title = legend?.querySelector('p')?.textContent ?? ''
  const keys = [
    { title: '', signs: signsIn(layers.filter((label) => label.querySelector('input')?.checked)) },
    ...(isShown ? [{ title, signs: signsIn([...legend.querySelectorAll<HTMLElement>('li')]) }] : []),
  ]
  return keys.filter(({ signs }) => signs.length > 0)
}

function signsIn(entries: readonly HTMLElement[]): Sign[] {
  return entries.flatMap((sign) => {
    const isOff = sign.querySelector('[aria-pressed="false"]') !== null
    const shape = sign.querySelector('svg > :is(rect, circle)')
    const isHatched = sign.querySelector('svg > path') !== null
    return shape && !isOff
      ? [{ label: sign.textContent.trim(), fill: getComputedStyle(shape).fill, isHatched }]
      : []
  })
}

/** The lines below a picture: the shown periods, whether shapes are missing, source and date of the shown data, who made the map, and its URL. */
function listPictureNotes(figure: HTMLElement, { credits = [] }: MapData): string[] {
  const time = figure.querySelector<HTMLElement>('.map-time:not([hidden]) [data-span]')?.dataset['span']
  const cut = figure.querySelector('.map-cut')?.textContent
  const credit = figure.querySelector('.maplibregl-ctrl-attrib-inner')?.textContent.trim()
  const shownCredits = credits.filter(({ of }) => of === undefined || isOn(figure, of))
  const lines = [time, cut, ...shownCredits.map(({ text }) => text), credit, location.href]
  return lines.flatMap((line) => (line ? [line] : []))
}

/** Adds a button below a live map that prints the page with the map in its current state. */
export function addPrint(figure: HTMLElement) {
  const properties = {
    type: 'button',
    className: 'figure-explore',
    textContent: islandTexts().mapPrint,
  } as const
  const button = buildElement('button', properties)
  button.addEventListener('click', printView)
  figure.querySelector('.figure-foot')?.appendChild(button)
}

interface PictureSource {
  title: string
  data: MapData
  still: () => HTMLCanvasElement
  report: Report
}

/**
 * Adds a button below a live map that saves it as a picture of its state, with title, the colours of what is enabled, the shown
 * periods, source and date of the data, attribution and URL.
 */
export function addPicture(figure: HTMLElement, { title, data, still, report }: PictureSource) {
  const button = buildElement('button', {
    type: 'button',
    className: 'figure-explore',
    textContent: islandTexts().mapPicture,
  })
  button.addEventListener('click', () => {
    const sheet = drawSheet(still(), {
      title,
      keys: listLegendKeys(figure),
      notes: listPictureNotes(figure, data),
    })
    sheet.toBlob((blob) => {
      if (!blob) return report(new Error('A picture of the map could not be made.'))
      saveFile(blob, `${fileName(title, 'map')}.png`)
    }, 'image/png')
  })
  figure.querySelector('.figure-foot')?.appendChild(button)
}

interface SheetTexts {
  title: string
  keys: readonly Key[]
  notes: readonly string[]
}

const gap = 16
const rowHeight = 24

function drawSheet(map: HTMLCanvasElement, { title, keys, notes }: SheetTexts): HTMLCanvasElement {
  const ratio = Math.max(1, devicePixelRatio)
  const [width, height] = [map.width / ratio + 2 * gap, map.height / ratio]
  const style = getComputedStyle(document.documentElement)
  const colour = (token: string) => style.getPropertyValue(token).trim()
  const sheet = buildElement('canvas', {})
  const pen = sheet.getContext('2d')
  if (!pen) return sheet
  const isRight = document.documentElement.dir === 'rtl'
  const font = (weight: number, size: number) => `${weight} ${size}px "Public Sans Variable", sans-serif`
  pen.font = font(400, 14)
  const lines = keys.flatMap(({ title: heading, signs }) => [
    ...(heading ? [heading] : []),
    ...wrapSigns(pen, signs, width - 2 * gap),
  ])
  pen.font = font(400, 12)
  const noteLines = notes.flatMap((note) => wrapText(pen, note, width - 2 * gap))
  const total = gap + 32 + height + gap + lines.length * rowHeight + noteLines.length * 20 + gap
  sheet.width = Math.round(width * ratio)
  sheet.height = Math.round(total * ratio)
  pen.scale(ratio, ratio)
  pen.direction = isRight ? 'rtl' : 'ltr'
  pen.textBaseline = 'middle'
  pen.fillStyle = colour('--surface')
  pen.fillRect(0, 0, width, total)
  const write = (text: string, x: number, y: number) =>
    pen.fillText(text, isRight ? width - gap - x : gap + x, y, width - 2 * gap - x)
  pen.fillStyle = colour('--text')
  pen.font = font(650, 18)
  write(title, 0, gap + 12)
  pen.drawImage(map, gap, gap + 32, width - 2 * gap, height)
  let y = gap + 32 + height + gap + rowHeight / 2
  pen.font = font(400, 14)
  for (const line of lines) {
    if (typeof line === 'string') write(line, 0, y)
    else
      for (const { label, fill, isHatched, at: x } of line) {
        const left = isRight ? width - gap - x - 16 : gap + x
        pen.fillStyle = fill
        pen.fillRect(left, y - 8, 16, 16)
        if (isHatched) hatch(pen, left, y - 8)
        pen.fillStyle = colour('--text')
        write(label, x + 24, y)
      }
    y += rowHeight
  }
  pen.fillStyle = colour('--text-muted')
  pen.font = font(400, 12)
  for (const line of noteLines) {
    write(line, 0, y)
    y += 20
  }
  return sheet
}

/** Signs in rows of a width, each with its distance from the start of its row. */
function wrapSigns(pen: CanvasRenderingContext2D, signs: readonly Sign[], width: number) {
  const rows: (Sign & { at: number })[][] = []
  let at = Infinity
  for (const sign of signs) {
    const wide = pen.measureText(sign.label).width + 44
    if (at + wide > width) {
      rows.push([])
      at = 0
    }
    rows.at(-1)?.push({ ...sign, at })
    at += wide
  }
  return rows
}

/** A text in lines of a width, broken after spaces and the signs of an address. */
function wrapText(pen: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const part of text.split(/(?<=[\s,&?/])/)) {
    if (line !== '' && pen.measureText((line + part).trimEnd()).width > width) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += part
  }
  return [...lines, line.trimEnd()]
}

/** The hatch of "no data" in a legend entry. */
function hatch(pen: CanvasRenderingContext2D, x: number, y: number) {
  pen.save()
  pen.translate(x, y)
  pen.strokeStyle = hatchColour
  pen.globalAlpha = hatchOpacity
  pen.stroke(new Path2D(hatchSign))
  pen.restore()
}
