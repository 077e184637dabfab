import type { Map as LiveMap } from 'maplibre-gl'
import { hatchColour, hatchOpacity, hatchSign } from '#functions/engine/map/hatch.ts'
import { islandWords } from './island-words.ts'
import { make } from './make.ts'
import type { Report } from './search.ts'
import { currentTheme, type Theme } from './theme.ts'

/** A copy of the map's picture: browsers discard the drawing buffer after showing it. */
export function stillOf(map: LiveMap): HTMLCanvasElement {
  map.redraw()
  const canvas = map.getCanvas()
  const still = make('canvas', { width: canvas.width, height: canvas.height })
  still.getContext('2d')?.drawImage(canvas, 0, 0)
  return still
}

/** Milliseconds after which a map is taken as it is: tiles that fail may be missing for long. */
const mostWaitMs = 10_000

/** Resolves when the map has drawn all it has, or after `mostWaitMs`. */
function untilDrawn(map: LiveMap): Promise<unknown> {
  map.triggerRepaint()
  return Promise.race([map.once('idle'), new Promise((resolve) => setTimeout(resolve, mostWaitMs))])
}

/** A copy of the map in light colours; meanwhile the reader sees the one in the colours of the page. */
async function stillInLight(
  map: LiveMap,
  box: HTMLElement,
  restyle: (theme: Theme) => void,
): Promise<HTMLCanvasElement> {
  const cover = stillOf(map)
  cover.className = 'map-cover'
  box.appendChild(cover)
  try {
    restyle('light')
    await untilDrawn(map)
    return stillOf(map)
  } finally {
    restyle(currentTheme())
    void untilDrawn(map).then(() => cover.remove())
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
  if (isPreparing) return
  isPreparing = true
  void Promise.allSettled([...preparations].map((prepare) => prepare())).then(() => {
    isPreparing = false
    print()
  })
}

/**
 * Prints the map in its current state, in light colours, as paper and legend are light. From the dark theme it is redrawn
 * for that after the keys for printing; a menu of the browser does not wait, and prints the page's static picture.
 * `restyle`: draws the map in a theme. Gives the function that undoes it.
 */
export function printAsShown(box: HTMLElement, map: LiveMap, restyle: (theme: Theme) => void): () => void {
  let light: HTMLCanvasElement | undefined
  let printCanvas: HTMLCanvasElement | undefined
  const prepare = async () => {
    light = await stillInLight(map, box, restyle)
  }
  const renderPrint = () => {
    printCanvas = light ?? (currentTheme() === 'dark' ? undefined : stillOf(map))
    if (!printCanvas) return
    printCanvas.className = 'map-printed'
    box.appendChild(printCanvas)
  }
  const away = () => {
    printCanvas?.remove()
    light = undefined
  }
  preparations.add(prepare)
  addEventListener('keydown', printByKeys)
  addEventListener('beforeprint', renderPrint)
  addEventListener('afterprint', away)
  return () => {
    preparations.delete(prepare)
    removeEventListener('beforeprint', renderPrint)
    removeEventListener('afterprint', away)
    away()
  }
}

interface Sign {
  label: string
  fill: string
  /** The entry for regions without a value. */
  isHatched: boolean
}

/** The enabled entries of a figure's legend. */
function signsOf(figure: HTMLElement): Sign[] {
  return [...figure.querySelectorAll<HTMLElement>('.legend li')].flatMap((sign) => {
    const isOff = sign.querySelector('[aria-pressed="false"]') !== null
    const shape = sign.querySelector('svg > :is(rect, circle)')
    const isHatched = sign.querySelector('svg > path') !== null
    return shape && !isOff
      ? [{ label: sign.textContent.trim(), fill: getComputedStyle(shape).fill, isHatched }]
      : []
  })
}

/** Adds a button below a live map that saves it as a picture, with title, legend, attribution and URL. */
export function addPicture(
  figure: HTMLElement,
  title: string,
  still: () => HTMLCanvasElement,
  report: Report,
) {
  const button = make('button', {
    type: 'button',
    className: 'figure-explore',
    textContent: islandWords().mapPicture,
  })
  button.addEventListener('click', () => {
    const credit = figure.querySelector('.maplibregl-ctrl-attrib-inner')?.textContent.trim() ?? ''
    const unit = figure.querySelector('.legend > p')?.textContent ?? ''
    const sheet = drawSheet(still(), { title, unit, signs: signsOf(figure), notes: [credit, location.href] })
    sheet.toBlob((blob) => {
      if (!blob) return report(new Error('A picture of the map could not be made.'))
      const href = URL.createObjectURL(blob)
      make('a', { href, download: 'map.png' }).click()
      setTimeout(() => URL.revokeObjectURL(href), 10_000)
    }, 'image/png')
  })
  figure.querySelector('.figure-foot')?.appendChild(button)
}

interface SheetTexts {
  title: string
  unit: string
  signs: readonly Sign[]
  notes: readonly string[]
}

const gap = 16
const rowHeight = 24

function drawSheet(map: HTMLCanvasElement, { title, unit, signs, notes }: SheetTexts): HTMLCanvasElement {
  const ratio = Math.max(1, devicePixelRatio)
  const [width, height] = [map.width / ratio + 2 * gap, map.height / ratio]
  const style = getComputedStyle(document.documentElement)
  const colour = (token: string) => style.getPropertyValue(token).trim()
  const sheet = make('canvas', {})
  const pen = sheet.getContext('2d')
  if (!pen) return sheet
  const isRight = document.documentElement.dir === 'rtl'
  const font = (weight: number, size: number) => `${weight} ${size}px "Public Sans Variable", sans-serif`
  // Legend entries wrap into rows.
  pen.font = font(400, 14)
  const rows: (Sign & { at: number })[][] = [[]]
  let at = 0
  for (const sign of signs) {
    const wide = pen.measureText(sign.label).width + 44
    if (at > 0 && at + wide > width - 2 * gap) {
      rows.push([])
      at = 0
    }
    rows[rows.length - 1]?.push({ ...sign, at })
    at += wide
  }
  const lines = [...(unit ? [unit] : []), ...rows.flatMap((row) => (row.length > 0 ? [row] : []))]
  const total = gap + 32 + height + gap + lines.length * rowHeight + notes.length * 20 + gap
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
  for (const note of notes) {
    write(note, 0, y)
    y += 20
  }
  return sheet
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
