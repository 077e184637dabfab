import { EmptyState } from '../state/empty-state.tsx'
import { Figure } from './figure.tsx'
import type { FigureProps } from './figure.tsx'
import { MapLayers, type MapSwitch } from './map-layers.tsx'
import { StaleNotice } from './stale-notice.tsx'
import { hubTexts } from './texts.ts'

export interface MapListItem {
  /** The key of the feature: its gid, the index of its point, or layer and id. */
  key: string
  name: string
  /** Formatted, with its unit. */
  value?: string
}

/** A source on the map: its switch and its listed records. */
export interface MapPageLayer {
  key: string
  name: string
  /** A custom property of the theme; absent for a layer coloured by the legend. */
  fill?: string
  count?: string
  /** The link to all of its records. */
  href: string
  items: MapListItem[]
  /** A note on how many of the records are listed; absent if all are. */
  countNote?: string
}

export interface MapPageProps {
  title: string
  sentence?: string
  map?: FigureProps
  /** The items on the map in reading order. */
  items: MapListItem[]
  /** The same for a map of several sources. */
  layers?: MapPageLayer[]
  /** The switch of region names. */
  names?: { key: string; isOn: boolean }
  /** A note on sources that are not on the map, or items that are not in the list. */
  left?: string
  staleDate?: string
  locale: string
}

/**
 * The map as a picture and a list. The list is complete without scripts; the map island turns its names into buttons that move the
 * map, and highlights the selected one.
 */
export function MapPage(page: MapPageProps) {
  const { title, sentence, map, staleDate, locale } = page
  return (
    <div className="page map-page">
      <StaleNotice date={staleDate} locale={locale} />
      <header className="page-head">
        <h1>{title}</h1>
        {sentence ? <p className="lede">{sentence}</p> : null}
      </header>
      {map ? <MapWithList {...page} map={map} /> : <EmptyState title={hubTexts(locale).noPlaces} level={2} />}
    </div>
  )
}

export type MapWithListProps = Omit<MapPageProps, 'title' | 'sentence' | 'staleDate' | 'map'> & {
  map: FigureProps
}

/** The switches of a map: its sources, and the names of its regions. */
export function buildMapSwitches({
  layers = [],
  names,
  locale,
}: Pick<MapPageProps, 'layers' | 'names' | 'locale'>): MapSwitch[] {
  return [
    // Only the first layer is on at first, as they would overlap.
    ...layers.map(({ key, name, fill, count }, at) => ({
      ...{ key, name, isOn: at === 0 },
      ...(fill ? { fill } : {}),
      ...(count ? { count } : {}),
    })),
    ...(names ? [{ ...names, name: hubTexts(locale).regionNames }] : []),
  ]
}

/** The map with its switches, and the list beside it. */
export function MapWithList(page: MapWithListProps) {
  const { map, items, layers = [], left, locale } = page
  const w = hubTexts(locale)
  const switches = buildMapSwitches(page)
  return (
    <div className="map-split" data-map-split="">
      <div className="map-side">
        {switches.length > 0 ? <MapLayers switches={switches} locale={locale} /> : null}
        <Figure {...map} level={2} />
      </div>
      {items.length > 0 || layers.length > 0 ? (
        <section className="map-list" aria-labelledby="map-list">
          <h2>
            <label className="map-open">
              <input type="checkbox" />
              <span id="map-list">{w.places}</span>
            </label>
          </h2>
          <p className="map-in-view" role="status" data-in-view={w.inView} />
          <div className="map-rows" data-map-rows="" tabIndex={0} role="group" aria-labelledby="map-list">
            {items.length > 0 ? <Items items={items} /> : null}
            {layers.map((layer) => (
              <LayerItems key={layer.key} layer={layer} theData={w.theData} />
            ))}
          </div>
          {left ? <p className="map-left">{left}</p> : null}
        </section>
      ) : null}
    </div>
  )
}

function LayerItems({ layer, theData }: { layer: MapPageLayer; theData: string }) {
  const { key, name, href, items, countNote } = layer
  return (
    <div className={`map-${key}`}>
      <h3>{name}</h3>
      <Items items={items} of={key} />
      <p className="map-all">
        {countNote ? <span>{countNote} </span> : null}
        <a href={href} aria-label={`${theData}: ${name}`}>
          {theData}
        </a>
      </p>
    </div>
  )
}

function Items({ items, of }: { items: MapListItem[]; of?: string }) {
  return (
    <ul role="list" data-map-list={of}>
      {items.map((item) => (
        <li key={item.key}>
          <span className="map-item" data-map-item={item.key}>
            {item.name}
          </span>
          {item.value ? <span className="map-value">{item.value}</span> : null}
        </li>
      ))}
    </ul>
  )
}
