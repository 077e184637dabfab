import { formatNumber } from '#app/components/list/number-format.ts'
import { Link } from '@remix-run/react'
import { VisibilityBadge, type Visibility } from '#app/components/list/badges.tsx'

/** The non-public parts of a page. `whyNot`: why this person cannot make them public; null: they can. */
export interface HiddenParts {
  parts: {
    type: 'insight' | 'source'
    id: string
    name: string | null
    visibility: Visibility | null
    contentIds: string[]
  }[]
  exposures: {
    sourceId: string
    records: number
    fields: { key: string; name: string; personal: keyof typeof personal | null }[]
    sample: string[][]
  }[]
  whyNot: string | null
}

const personal = {
  email: 'email addresses',
  phone: 'phone numbers',
  name: 'names of people',
  address: 'addresses',
  birthDate: 'birth dates',
  id: 'numbers that identify people',
}

/** Above the publish buttons: what readers would not see, and what making it public reveals. */
export function HiddenFromReaders({ parts, exposures, whyNot }: HiddenParts) {
  return (
    <section className="stack" aria-labelledby="hidden-title">
      <h2 id="hidden-title" className="checklist-title">
        Not everyone may see
      </h2>
      <ul className="checklist">
        {parts.map((part) => (
          <li key={`${part.type} ${part.id}`}>
            {part.name === null ? (
              <a href={`#block-${part.contentIds[0]}`}>
                Something that is not there any more, or that you may not see
              </a>
            ) : (
              <Link to={`/${part.type}s/${part.id}`}>{part.name}</Link>
            )}{' '}
            {part.visibility ? <VisibilityBadge visibility={part.visibility} /> : null}
            {exposures
              .filter(({ sourceId }) => part.type === 'source' && sourceId === part.id)
              .map((exposure) => (
                <Shows key={exposure.sourceId} {...exposure} />
              ))}
          </li>
        ))}
      </ul>
      {whyNot === null ? null : <p className="muted">{whyNot}</p>}
    </section>
  )
}

function Shows({ records, fields, sample }: HiddenParts['exposures'][number]) {
  const kinds = [...new Set(fields.flatMap((field) => (field.personal ? [personal[field.personal]] : [])))]
  return (
    <>
      {kinds.length ? (
        <p>
          <span className="badge is-danger">Looks personal</span> It seems to hold {kinds.join(', ')}.
        </p>
      ) : null}
      <details>
        <summary>What making it public shows: {formatNumber(records)} records</summary>
        <dl className="stack">
          {fields.map(({ key, name, personal: kind }, i) => (
            <div key={key}>
              <dt>
                <b>{name}</b> {kind ? `(looks like ${personal[kind]})` : ''}
              </dt>
              <dd className="muted">{sample.map((row) => row[i] || '–').join(' · ')}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
}
