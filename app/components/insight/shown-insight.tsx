import { useEffect, useRef } from 'react'
import type { ChartInput } from '#functions/engine/chart/frame.ts'
import { wireLiveFigure } from '#app/client/live-figure.ts'
import { Figure, type FigureProps } from '../hub/figure.tsx'
import { NumberFigure, type NumberFigureProps } from '../hub/number-figure.tsx'

export type InsightView =
  | { kind: 'number'; number: NumberFigureProps }
  | { kind: 'figure'; figure: FigureProps }

interface ShownInsightProps {
  view: InsightView
  /** What the chart is drawn from; with it the chart becomes live. */
  live?: Omit<ChartInput, 'width'>
}

/**
 * An insight in the workspace: the same picture its readers see. The files that a stored hub page refers to do not
 * exist here, so the figure's own links are left out, and a live chart is drawn from what the page already holds.
 */
export function ShownInsight({ view, live }: ShownInsightProps) {
  const ref = useRef<HTMLDivElement>(null)
  const isLive = live !== undefined && view.kind === 'figure' && view.figure.chartHref !== undefined
  useEffect(() => {
    const figure = ref.current?.querySelector<HTMLElement>('figure')
    if (!figure || !isLive) return
    return wireLiveFigure(figure, () => specOf(live))
  }, [isLive, live])
  if (view.kind === 'number') return <NumberFigure {...view.number} />
  const {
    csvHref: _csv,
    svgHref: _svg,
    mapHref: _map,
    chartHref: _chart,
    answerHref: _answer,
    ...figure
  } = view.figure
  return (
    <div className="shown-insight" ref={ref}>
      <Figure {...figure} {...(isLive ? { chartHref: '#live' } : {})} level={2} />
    </div>
  )
}

/** What a live chart draws: how it is made is fetched only when someone points at a chart. */
async function specOf(live: Omit<ChartInput, 'width'>): Promise<object | null> {
  const [{ chartSpec }, { compileChart }, { chartWidths }] = await Promise.all([
    import('#functions/engine/chart/spec.ts'),
    import('#functions/engine/chart/compiled.ts'),
    import('#functions/engine/chart/frame.ts'),
  ])
  const spec = chartSpec({ ...live, width: chartWidths.wide })
  return spec && compileChart(spec)
}
