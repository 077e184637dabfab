import { useLoaderData } from '@remix-run/react'
import { RawSvg } from '#app/components/hub/raw-svg.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { formatNumber } from '#app/components/list/number-format.ts'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { Screen } from '#app/components/shell/screen.tsx'
import { AreaList } from './area-list.tsx'
import { builtInSetScreen } from './built-in-set.server.ts'

export const loader = builtInSetScreen

export const meta = placeTitle<{ set: { name: string } }>(({ set }) => set.name)

export default function BuiltInSet() {
  const { set, svg, areas, areaCount, geojson } = useLoaderData<typeof loader>()
  return (
    <Screen
      isStack
      title={set.name}
      crumbs={[{ label: 'Boundaries', to: '/boundaries' }]}
      sub="Boundaries that every organization can use."
      actions={
        <a className="button" href={geojson} download>
          Download as GeoJSON
        </a>
      }
    >
      <RawSvg svg={svg} className="card boundary-picture" />
      <Facts
        facts={[
          ['Areas', formatNumber(areaCount)],
          ['Source', set.origin],
          ['Licence', set.licence],
          ['Date of the boundaries', set.vintage],
        ]}
      />
      <Disputes />
      <IsoDifferences />
      <AreaList areas={areas} count={areaCount} />
    </Screen>
  )
}

/** How disputed borders are drawn; nothing where none is. */
function Disputes() {
  const { disputes } = useLoaderData<typeof loader>().set
  if (disputes.length === 0) return null
  return (
    <section aria-labelledby="disputes" className="stack is-tight">
      <h2 id="disputes">Disputed borders</h2>
      {disputes.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </section>
  )
}

/** All differences of a country's regions from ISO 3166-2; nothing for sets that were not compared. */
function IsoDifferences() {
  const { iso } = useLoaderData<typeof loader>().set
  if (!iso) return null
  const { missing, own, recoded } = iso
  const lists = [
    { title: 'Missing here', ...missing },
    { title: 'Not there', ...own },
    { title: 'With another code there', ...recoded },
  ].filter(({ count }) => count > 0)
  return (
    <section aria-labelledby="iso" className="stack">
      <h2 id="iso">Compared with ISO 3166-2</h2>
      {lists.length === 0 ? <p>The regions and codes are those of ISO 3166-2.</p> : null}
      {lists.map(({ title, count, first }) => (
        <div key={title} className="stack is-tight">
          <h3>
            {title} ({formatNumber(count)})
          </h3>
          <ul>
            {first.map((region) => (
              <li key={region.code}>
                <bdi>{region.name}</bdi>: {region.code}
                {'iso' in region ? ` here, ${region.iso} there` : ''}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
