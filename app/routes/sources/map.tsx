import { Link, useLoaderData } from '@remix-run/react'
import { useRef } from 'react'
import { useLiveMap } from '#app/client/live-map.ts'
import { MapWithList } from '#app/components/hub/map-page.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { mapScreen } from './source.server.ts'

/** The records of a source with a position, on a map. */
export const loader = mapScreen

export default function SourceMap() {
  const { map, count, mayChart } = useLoaderData<typeof loader>()
  const screen = useRef<HTMLElement>(null)
  useLiveMap(screen)
  if (map)
    return (
      <section className="stack map-page" aria-label="Map" ref={screen}>
        <MapWithList {...map} />
        {mayChart && map.to ? (
          <p>
            <Link className="button is-small" to={map.to}>
              Make a map of it
            </Link>
          </p>
        ) : null}
      </section>
    )
  return (
    <EmptyState
      level={2}
      title="Nothing to put on a map"
      text={
        count
          ? 'None of its records has a place.'
          : 'Once there are records with a place, they are drawn here.'
      }
    />
  )
}
