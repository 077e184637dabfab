import type { Item, Scene, SceneGroup, Spec } from 'vega'
import type { ChartTheme } from './palette.ts'
import { themedSpec } from './themed-spec.ts'

/** A mark of an interactive chart with a value. */
export interface ChartPoint {
  /** Its formatted value. */
  text: string
  /** Its series; '' for a single one. */
  series: string
  /** Its box in fractions of the chart's width and height, from the top left. */
  left: number
  top: number
  right: number
  bottom: number
}

interface LiveChart {
  points: ChartPoint[]
  /** Removes the chart. */
  remove: () => void
}

/**
 * Renders the interactive chart of a compiled spec into an element, in the colours of a theme. Loads Vega on demand,
 * with its interpreter, so that no code is generated from strings. Returns the marks with values, by series in reading
 * order. Throws where the spec cannot be rendered.
 */
export async function hydrateChart(
  element: HTMLElement,
  vegaSpec: object,
  theme: ChartTheme,
): Promise<LiveChart> {
  const [vega, { expressionInterpreter }] = await Promise.all([import('vega'), import('vega-interpreter')])
  const runtime = vega.parse(themedSpec(vegaSpec, theme) as Spec, undefined, { ast: true })
  const view = new vega.View(runtime, {
    renderer: 'svg',
    container: element,
    hover: false,
    logLevel: vega.Error,
    expr: expressionInterpreter,
    // The caller shows values for mouse, touch and keyboard alike.
    tooltip: () => {},
  })
  await view.runAsync()
  // As wide as its place, like the drawing it replaces
  const drawing = element.querySelector('svg')
  drawing?.setAttribute('width', '100%')
  drawing?.removeAttribute('height')
  drawing?.setAttribute('class', 'chart-drawing')
  drawing?.setAttribute('font-variant', 'tabular-nums')
  // Marks are positioned relative to the plot, which is inside the padding.
  const [x, y] = view.origin()
  const padding = view.padding()
  const [left, top] = typeof padding === 'object' ? [x + (padding.left ?? 0), y + (padding.top ?? 0)] : [x, y]
  const box = drawing?.viewBox.baseVal
  // Vega's types describe neither the root of the scene nor its items.
  const points = box ? pointsIn((view.scenegraph() as unknown as { root: Scene }).root, left, top, box) : []
  return {
    points,
    remove: () => {
      view.finalize()
      element.replaceChildren()
    },
  }
}

type SpokenItem = Item & { tooltip?: unknown; datum?: { s?: unknown } }

/** The marks with a tooltip in a scene whose origin is `x`, `y` in units of the drawing. */
function pointsIn(root: Scene, x: number, y: number, box: { width: number; height: number }): ChartPoint[] {
  const list: ChartPoint[] = []
  const visit = (scene: Scene, dx: number, dy: number) => {
    for (const item of scene.items as (SpokenItem & Partial<SceneGroup>)[]) {
      if ('items' in item && Array.isArray(item.items)) {
        const within: [number, number] = [dx + (item.x ?? 0), dy + (item.y ?? 0)]
        // The items of a group are its marks.
        for (const mark of item.items as unknown as Scene[]) visit(mark, ...within)
      }
      const { tooltip, bounds } = item
      if (typeof tooltip !== 'string' || tooltip === '' || !bounds) continue
      list.push({
        text: tooltip,
        series: typeof item.datum?.s === 'string' ? item.datum.s : '',
        left: (dx + bounds.x1) / box.width,
        right: (dx + bounds.x2) / box.width,
        top: (dy + bounds.y1) / box.height,
        bottom: (dy + bounds.y2) / box.height,
      })
    }
  }
  visit(root, x, y)
  return sortPoints(removeDuplicates(list))
}

/** Removes duplicates, keeping the smallest mark: a line has the values of its points as well. */
function removeDuplicates(points: readonly ChartPoint[]): ChartPoint[] {
  const size = ({ left, right, top, bottom }: ChartPoint) => (right - left) * (bottom - top)
  const byText = new Map<string, ChartPoint>()
  for (const point of points) {
    const key = JSON.stringify([point.series, point.text])
    const duplicate = byText.get(key)
    if (!duplicate || size(point) < size(duplicate)) byText.set(key, point)
  }
  return [...byText.values()]
}

/** By series in drawing order, points from left to right, then from top to bottom. */
function sortPoints(points: ChartPoint[]): ChartPoint[] {
  const series = [...new Set(points.map((point) => point.series))]
  const computeMiddle = (from: number, to: number) => Math.round(((from + to) / 2) * 1e4)
  // Bars that start at a common line are ordered vertically.
  const isDown = series.some((name) => {
    const lefts = points.filter((point) => point.series === name).map(({ left }) => Math.round(left * 1e3))
    return lefts.length > 1 && new Set(lefts).size === 1
  })
  return series.flatMap((name) =>
    points
      .filter((point) => point.series === name)
      .sort((a, b) =>
        isDown
          ? a.top - b.top
          : computeMiddle(a.left, a.right) - computeMiddle(b.left, b.right) || a.top - b.top,
      ),
  )
}
