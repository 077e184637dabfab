import { Form, Link } from '@remix-run/react'
import { Count } from '#app/components/list/time.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import type { Sample } from '#functions/shapes/sample.ts'

export interface SampleDataProps {
  sample: Sample
  /** Why the person may not create or remove them, in a sentence; null if they may. */
  whoMay: string | null
}

/**
 * Sample data: without data, a description and a button that creates them; once they exist, all of them, what else would go and what
 * would stay, and a button that removes them. Nothing if there are other data.
 */
export function SampleData({ sample, whoMay }: SampleDataProps) {
  if (!sample.isPresent && sample.refusal !== null) return null
  return (
    <section className="recent stack" aria-labelledby="sample">
      <h2 className="section-title" id="sample">
        {sample.isPresent ? 'Sample data are here' : 'Look around with sample data'}
      </h2>
      {sample.isPresent ? <Present sample={sample} /> : <Offer about={sample.about} />}
      {whoMay === null ? (
        <Form method="post" preventScrollReset>
          {sample.isPresent ? (
            <SubmitButton intent="removeSample" doing="Removing…" className="button is-danger">
              Remove all sample data
            </SubmitButton>
          ) : (
            <SubmitButton intent="addSample" doing="Bringing them in…" className="button">
              Add sample data
            </SubmitButton>
          )}
        </Form>
      ) : (
        <p className="muted">{whoMay}</p>
      )}
    </section>
  )
}

function Offer({ about }: { about: Sample['about'] }) {
  return (
    <p>
      <Origin about={about} />, with a data type, a source, a chart, a map and a page. They are not your
      organization’s: everything of them is called “Sample”, only your team sees them, and one click removes
      them all.
    </p>
  )
}

function Origin({
  about: { name, records, attribution, attributionUrl, licence },
}: {
  about: Sample['about']
}) {
  return (
    <>
      {name}: <Count n={records} /> records of the <a href={attributionUrl}>{attribution}</a> ({licence})
    </>
  )
}

function Present({ sample: { about, things, goes, stays } }: { sample: Sample }) {
  return (
    <>
      <p>
        <Origin about={about} />. They are not your organization’s, and only your team sees them.
      </p>
      <Things things={things} />
      {goes.length ? (
        <>
          <p>These were made of the sample data alone and go with them:</p>
          <Things things={goes} />
        </>
      ) : null}
      {stays.length ? (
        <>
          <p>These stay:</p>
          <ul className="list">
            {stays.map(({ noun, id, name, because }) => (
              <li key={`${noun} ${id}`} className="list-item">
                <div className="list-main">
                  <p className="list-title">
                    <span className="badge">{words[noun]}</span> {name}
                  </p>
                  <p className="list-note">{because}</p>
                </div>
              </li>
            ))}
          </ul>
        </>
      ) : null}
      <p className="muted">
        What is removed can be restored for 30 days, from the list of what was deleted. Nothing else of your
        organization is touched.
      </p>
    </>
  )
}

type SampleThing = Sample['things'][number] | Sample['goes'][number]

function Things({ things }: { things: readonly SampleThing[] }) {
  return (
    <ul className="list">
      {things.map((thing) => {
        const to = findThingPath(thing)
        return (
          <li key={`${thing.noun} ${thing.id}`} className="list-item">
            <div className="list-main list-title">
              <span className="badge">{words[thing.noun]}</span>{' '}
              {to === null ? thing.name : <Link to={to}>{thing.name}</Link>}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

const words: Record<SampleThing['noun'], string> = {
  dataType: 'Data type',
  source: 'Source',
  insight: 'Insight',
  page: 'Page',
  observer: 'Observer',
  importer: 'Importer',
  collection: 'Collection',
}

/** The link to a thing; null if it has none of its own. */
function findThingPath(thing: SampleThing): string | null {
  if (thing.noun === 'dataType') return `/types/${thing.id}`
  if (thing.noun === 'source') return `/sources/${thing.id}`
  if (thing.noun === 'insight') return `/insights/${thing.id}`
  if (thing.noun === 'page' && 'pageType' in thing && thing.pageType)
    return `/pages/${thing.pageType}/${thing.id}`
  return null
}
