import { Link } from '@remix-run/react'
import type { ReferenceNoun } from './endpoint.ts'
import { Address } from './method.tsx'
import { Sentence } from './sentence.tsx'

export interface NounListProps {
  /** The path of the reference. */
  base: string
  nouns: ReferenceNoun[]
  /** The selected noun; null for none. */
  selectedId: string | null
}

/** The nouns of the API as a list of links, nested ones indented. */
export function NounNav({ base, nouns, selectedId }: NounListProps) {
  return (
    <nav className="reference-nav" aria-label="Nouns of the API">
      <ul>
        {nouns.map(({ name, endpoints }) => (
          <li key={name}>
            <Link
              to={`${base}?noun=${encodeURIComponent(name)}`}
              aria-current={name === selectedId ? 'page' : undefined}
            >
              {name} <span className="num">{endpoints.length}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** All nouns with their endpoints, which link to their anchors. */
export function NounSections({ base, nouns }: Omit<NounListProps, 'selectedId'>) {
  return nouns.map(({ name, sentence, endpoints }) => (
    <section key={name} className="reference-noun" aria-labelledby={`noun-${name}`}>
      <h2 className="section-title" id={`noun-${name}`}>
        <Link to={`${base}?noun=${encodeURIComponent(name)}`}>{name}</Link>
      </h2>
      <p className="muted">
        <Sentence text={sentence} />
      </p>
      <ul className="card">
        {endpoints.map((endpoint) => (
          <li className="reference-line" key={endpoint.name} id={endpoint.name}>
            <Link to={`${base}?noun=${encodeURIComponent(name)}#${encodeURIComponent(endpoint.name)}`}>
              {endpoint.name}
            </Link>
            <span>
              <Sentence text={endpoint.summary} />
            </span>
            <Address method={endpoint.method} path={endpoint.path} />
          </li>
        ))}
      </ul>
    </section>
  ))
}
