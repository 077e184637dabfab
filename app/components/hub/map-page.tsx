import { EmptyState } from '../state/empty-state.tsx'
import { Figure } from './figure.tsx'
import type { FigureProps } from './figure.tsx'
import { StaleNotice } from './stale-notice.tsx'
import { words } from './words.ts'

export interface MapListItem {
  /** The key of the feature on the map: its gid, or the index of its point as text. */
  key: string
  name: string
  /** Formatted, with its unit. */
  value?: string
  href?: string
}

export interface MapPageProps {
  title: string
  sentence?: string
  map?: FigureProps
  /** What is on the map, in the order it should be read. */
  items: MapListItem[]
  listTitle?: string
  staleDate?: string
  locale: string
}

/**
 * The map as a picture and as a list. The list is whole without scripts; the map island turns its names into
 * buttons that move the map, and marks the one chosen on the map.
 */
export function MapPage({ title, sentence, map, items, listTitle, staleDate, locale }: MapPageProps) {
  const w = words(locale)
  return (
    <div className="page map-page">
      <StaleNotice date={staleDate} locale={locale} />
      <header className="page-head">
        <h1>{title}</h1>
        {sentence ? <p className="lede">{sentence}</p> : null}
      </header>
      {map ? (
        <div className="map-split" data-map-split="">
          <Figure {...map} level={2} />
          <section className="map-list" aria-labelledby="map-list">
            <h2 id="map-list">{listTitle ?? w.places}</h2>
            <p className="map-in-view" role="status" data-in-view={w.inView} />
            <ul tabIndex={0} role="list" aria-labelledby="map-list">
              {items.map((item) => (
                <li key={item.key}>
                  <span className="map-item" data-map-item={item.key}>
                    {item.name}
                  </span>
                  {item.value ? <span className="map-value">{item.value}</span> : null}
                  {item.href ? (
                    <a href={item.href} aria-label={`${w.theData}: ${item.name}`}>
                      {w.theData}
                    </a>
                  ) : null}
                </li>
              ))}
            </ul>
          </section>
        </div>
      ) : (
        <EmptyState title={w.noPlaces} level={2} />
      )}
    </div>
  )
}
