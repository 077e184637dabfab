import { Breadcrumb } from './breadcrumb.tsx'
import { DataTable } from './data-table.tsx'
import type { TableData } from './data-table.tsx'
import { Downloads } from './downloads.tsx'
import type { Download } from './downloads.tsx'
import { Figure } from './figure.tsx'
import type { FigureProps } from './figure.tsx'
import { TrustSection, type TrustFacts } from './trust-facts.tsx'
import { StaleNotice } from './stale-notice.tsx'
import { hubTexts } from './texts.ts'

export interface SourcePageProps {
  title: string
  domain: { name: string; href: string }
  notes?: string
  /** The formatted number of records, and their period if they have dates. */
  records: { count: string; period?: string }
  /** The generated sentence of the chart, also used as the page's description. */
  sentence?: string
  chart?: FigureProps
  map?: FigureProps
  /** The first rows; `shownCount` and `total` formatted. `href`: the table with sorting, filters and search. */
  table: TableData & { shownCount: string; total: string; href?: string }
  downloads: Download[]
  /** A complete request for these rows, ready to copy. */
  api?: { request: string; docsHref: string; docsLabel: string }
  attribution?: { name: string; href?: string }
  updated?: { date: string; dateTime: string }
  trust?: TrustFacts
  /** The page of its topic. */
  topicHref?: string
  followHref?: string
  related: { title: string; href: string; note?: string }[]
  staleDate?: string
  locale: string
  base?: string
}

/** The page of a source: extent, description, chart, map, rows, downloads. */
export function SourcePage(props: SourcePageProps) {
  const { title, chart, map, table, downloads, api, locale } = props
  const w = hubTexts(locale)
  return (
    <div className="page source">
      <StaleNotice date={props.staleDate} locale={locale} />
      <SourceHead {...props} />
      {chart ? <Figure {...chart} level={2} /> : null}
      {map ? (
        <section aria-labelledby="where">
          <h2 id="where">{w.onTheMap}</h2>
          <Figure {...map} />
        </section>
      ) : null}
      <section aria-labelledby="data">
        <h2 id="data">{w.theData}</h2>
        <DataTable
          columns={table.columns}
          rows={table.rows}
          label={w.tableLabel(title)}
          // Without downloads nothing has all of them.
          caption={
            downloads.length > 0
              ? w.firstRows(table.shownCount, table.total)
              : w.firstListed(table.shownCount, table.total)
          }
        />
        {table.href ? (
          <p>
            <a className="button" href={table.href}>
              {w.allRecords}
            </a>
          </p>
        ) : null}
      </section>
      {downloads.length > 0 ? (
        <section aria-labelledby="downloads">
          <h2 id="downloads">{w.downloads}</h2>
          <Downloads downloads={downloads} locale={locale} />
        </section>
      ) : null}
      <TrustSection {...props} />
      {api ? (
        <section aria-labelledby="api">
          <h2 id="api">{w.api}</h2>
          <p className="muted">{w.apiText}</p>
          <pre>
            <code>{api.request}</code>
          </pre>
          <p>
            <a href={api.docsHref}>{api.docsLabel}</a>
          </p>
        </section>
      ) : null}
      {props.related.length > 0 ? (
        <section aria-labelledby="related">
          <h2 id="related">{w.related}</h2>
          <ul className="source-list">
            {props.related.map((item) => (
              <li key={item.href}>
                <a href={item.href}>{item.title}</a>
                {item.note ? <span className="muted">{item.note}</span> : null}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  )
}

/** Title, topic, extent, and summary sentence. */
function SourceHead({
  title,
  domain,
  records,
  sentence,
  chart,
  trust,
  topicHref,
  base,
  locale,
}: SourcePageProps) {
  const w = hubTexts(locale)
  return (
    <header className="page-head">
      <Breadcrumb
        label={w.domains}
        crumbs={[
          { label: w.domains, href: (base ?? '') + '/domains' },
          ...(trust?.topic && topicHref ? [{ label: trust.topic, href: topicHref }] : []),
          { label: domain.name, href: domain.href },
        ]}
      />
      <h1>{title}</h1>
      <p className="source-extent">
        <bdi>{records.count}</bdi>
        {records.period ? (
          <>
            {', '}
            <bdi>{records.period}</bdi>
          </>
        ) : null}
      </p>
      {/* A page says a sentence once: the chart has its own. */}
      {sentence && sentence !== chart?.sentence ? <p className="lede">{sentence}</p> : null}
    </header>
  )
}
