import { hydrateChart } from '#functions/engine/chart/hydrate.ts'
import { getPhrases } from '#functions/engine/chart/phrases.ts'
import type { ChartInput } from '#functions/engine/chart/frame.ts'
import './live.css'
import { wirePoints } from './figure-points.ts'
import { currentTheme, onTheme } from './theme.ts'
import type { Report } from './search.ts'

/** The stored result of a figure: all that its chart is drawn from, for selecting other parts. */
export type FigureAnswer = Pick<ChartInput, 'visualization' | 'output' | 'rows' | 'timeZone'>

interface LiveFigure {
  /** Draws another chart into the box. Calls are serialized; the last one wins. */
  draw: (spec: object) => Promise<void>
  remove: () => void
}

/** The title of a figure. */
export const getFigureTitle = (figure: HTMLElement): string =>
  figure.querySelector('figcaption > :first-child')?.textContent ?? ''

/** Draws a compiled chart into a box, with keyboard access to its values, and again whenever the theme changes. */
export async function startLive(
  box: HTMLElement,
  first: object,
  { title, locale, report }: { title: string; locale: string; report: Report },
): Promise<LiveFigure> {
  const hint = getPhrases(locale).figure.keys
  let spec = first
  let stop = () => {}
  const replaceView = async () => {
    stop()
    stop = () => {}
    const chart = await hydrateChart(box, spec, currentTheme())
    const stopPoints = wirePoints(box, chart.points, { label: title, hint })
    stop = () => {
      stopPoints()
      chart.remove()
    }
  }
  await replaceView()
  let turn = Promise.resolve()
  const draw = (next: object) => {
    spec = next
    const drawing = turn.then(replaceView)
    turn = drawing.catch(() => {})
    return drawing
  }
  const stopThemes = onTheme(() => void draw(spec).catch(report))
  return {
    draw,
    remove: () => {
      stopThemes()
      stop()
    },
  }
}
