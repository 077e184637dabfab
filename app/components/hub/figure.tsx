import { useId } from 'react'
import { DataTable } from './data-table.tsx'
import type { TableData } from './data-table.tsx'
import { FigureViews } from './figure-views.tsx'
import { Drawings, type StoredDrawing } from './drawings.tsx'
import { Legend } from './legend.tsx'
import type { LegendProps } from './legend.tsx'
import { trustTexts, hubTexts } from './texts.ts'

/** A note on one layer of a map, by the key of its switch. */
export interface LayerNote {
  layer: string
  text: string
}

export interface FigureProps {
  /** The title, with the unit. */
  title: string
  /** The result in one sentence. */
  sentence?: string
  /** The sentence is the whole figure, in large type. */
  isSaid?: boolean
  /** The SVG for containers of 640 px or more, with role, title and description. '' for a sentence or a table. */
  svg: string
  /** The SVG for narrower containers; without it the wide one is scaled down. */
  svgNarrow?: string
  /** The same drawings as a file, which the page then references. */
  storedDrawing?: StoredDrawing
  /** The legend of a map; charts include theirs. */
  legend?: Omit<LegendProps, 'locale'>
  /** The data as a table. */
  table?: TableData
  csvHref?: string
  /** The picture as a standalone SVG file. */
  svgHref?: string
  /** The same as PNG. */
  pngHref?: string
  /** The base URL of its pictures in any state, without an extension, and the subject file. */
  picture?: { href: string; subject: string }
  /** Another view of the same result: a map for a chart, or a chart for a map. Loaded when chosen. */
  other?: { view: 'map' | 'chart'; href: string }
  /** Its name in URLs, unique within the page. */
  name?: string
  /** JSON for the chart island: a precompiled Vega specification. */
  chartHref?: string
  /** The same for the narrow picture; without it that one stays static. */
  chartHrefNarrow?: string
  /** JSON of the result, with which a reader can choose what is shown. */
  answerHref?: string
  /** The form for reporting an error in it. */
  reportHref?: string
  /** The URL of the figure alone, for embedding. */
  embedHref?: string
  /** JSON for the map island. */
  mapHref?: string
  /** Source and date of the data, or what the picture leaves out: by layer where they are switched, as it is true only of one that is shown. */
  note?: string | LayerNote[]
  locale: string
  /** Heading level of the title; default 3. */
  level?: 2 | 3
  /** `plain` omits the title, if the page has just shown it. */
  variant?: 'plain'
}

/**
 * A chart or a map: title, sentence, picture, table and downloads. Complete without scripts; the island hydrates the picture and only
 * then shows the "Explore" button.
 */
export function Figure(props: FigureProps) {
  const { title, sentence, svg, svgNarrow, legend, table, chartHref, mapHref, note, locale } = props
  const w = hubTexts(locale)
  const id = useId()
  const noteId = `${id}note`
  // A repeated heading would only be in the way.
  const Title = props.variant === 'plain' ? 'span' : props.level === 2 ? 'h2' : 'h3'
  const live = mapHref
    ? { 'data-map': '', 'data-map-href': mapHref, 'data-embed': props.embedHref }
    : chartHref
      ? {
          'data-chart': '',
          'data-chart-href': chartHref,
          'data-chart-href-narrow': props.chartHrefNarrow,
          'data-answer-href': props.answerHref,
          'data-embed': props.embedHref,
        }
      : {}
  return (
    <figure
      className={svgNarrow ? 'figure has-narrow' : 'figure'}
      aria-labelledby={id}
      data-figure={svg ? props.name : undefined}
      {...live}
    >
      <figcaption className="figure-head">
        <Title id={id} className={props.variant === 'plain' ? 'sr-only' : 'figure-title'}>
          {title}
        </Title>
        {sentence ? (
          <p className={props.isSaid ? 'figure-sentence is-said' : 'figure-sentence'}>{sentence}</p>
        ) : null}
      </figcaption>
      {svg && table ? (
        <FigureViews {...{ id, w }} isMap={Boolean(legend || mapHref)} other={props.other?.view} />
      ) : null}
      {svg ? (
        <div className="figure-plot" data-plot="">
          <Drawings
            {...{ svg, svgNarrow, storedDrawing: props.storedDrawing, labelledBy: id }}
            describedBy={note ? noteId : undefined}
          />
        </div>
      ) : null}
      {svg && props.other ? (
        // Loaded when it becomes visible, in the available width; without scripts at once.
        <img
          className="figure-other"
          src={props.other.href}
          alt={props.other.view === 'map' ? w.viewMap : w.viewChart}
          loading="lazy"
        />
      ) : null}
      {legend && legend.classes.length > 0 ? <Legend {...legend} locale={locale} /> : null}
      {svg && table ? (
        <div className="figure-data">
          <DataTable {...table} label={w.tableLabel(title)} />
        </div>
      ) : null}
      {note ? (
        <p id={noteId} className="figure-note">
          {typeof note === 'string'
            ? note
            : note.map(({ layer, text }) => (
                <span key={layer} className={`map-${layer}`}>
                  {text}{' '}
                </span>
              ))}
        </p>
      ) : null}
      <FigureFoot {...props} />
    </figure>
  )
}

/** Downloads and actions of a figure. */
function FigureFoot({
  title,
  svg,
  isSaid,
  table,
  csvHref,
  svgHref,
  pngHref,
  chartHref,
  mapHref,
  reportHref,
  locale,
}: FigureProps) {
  const w = hubTexts(locale)
  return (
    <div className="figure-foot">
      {table && !svg ? (
        // Without a picture, and with a short sentence, the table is open.
        <details className="figure-data" open={!isSaid}>
          <summary>{w.showData}</summary>
          <DataTable {...table} label={w.tableLabel(title)} />
        </details>
      ) : null}
      {csvHref ? (
        <a className="figure-csv" href={csvHref} download>
          {w.downloadCsv}
        </a>
      ) : null}
      {svgHref ? (
        <a className="figure-svg" href={svgHref} download>
          {w.downloadSvg}
        </a>
      ) : null}
      {pngHref ? (
        <a className="figure-png" href={pngHref} download>
          {w.downloadPng}
        </a>
      ) : null}
      {chartHref || mapHref ? (
        <button type="button" className="figure-explore keeps-room" data-full-screen="" hidden>
          {w.fullScreen}
        </button>
      ) : null}
      {chartHref || mapHref ? (
        <button
          type="button"
          className="figure-explore keeps-room"
          data-explore=""
          data-loading={w.loading}
          data-failed={w.notLive}
          hidden
        >
          {mapHref ? w.exploreMap : w.exploreChart}
        </button>
      ) : null}
      {reportHref ? (
        <a href={reportHref} rel="nofollow">
          {trustTexts(locale).reportFigure}
        </a>
      ) : null}
    </div>
  )
}
