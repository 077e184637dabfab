import { Link } from '@remix-run/react'
import type { ReferenceNoun } from './endpoint.ts'

export interface NounListProps {
  /** The path of the reference. */
  base: string
  nouns: ReferenceNoun[]
  /** The noun that is shown whole; null for none. */
  chosen: string | null
}

/** The nouns of the API as a list of links. */
export function NounNav({ base, nouns, chosen }: NounListProps) {
  return (
    <nav className="card" aria-label="Nouns of the API">
      <ul className="list">
        {nouns.map(({ name, endpoints }) => (
          <li className="list-item" key={name}>
            <div className="list-main">
              <Link
                className="list-title"
                to={`${base}?noun=${encodeURIComponent(name)}`}
                aria-current={name === chosen ? 'page' : undefined}
              >
                {name}
              </Link>
            </div>
            <span className="list-meta">{endpoints.length}</span>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Every noun with its endpoints, a line each; the name of an endpoint is its address on the page. */
export function NounSections({ base, nouns }: Omit<NounListProps, 'chosen'>) {
  return nouns.map(({ name, sentence, endpoints }) => (
    <section key={name} aria-labelledby={`noun-${name}`}>
      <h2 className="section-title" id={`noun-${name}`}>
        <Link to={`${base}?noun=${encodeURIComponent(name)}`}>{name}</Link>
      </h2>
      <p className="muted">{sentence}</p>
      <ul className="list">
        {endpoints.map((endpoint) => (
          <li className="list-item" key={endpoint.name} id={endpoint.name}>
            <div className="list-main">
              <Link
                className="list-title"
                to={`${base}?noun=${encodeURIComponent(name)}#${encodeURIComponent(endpoint.name)}`}
              >
                {endpoint.name}
              </Link>
              <span className="list-note">{endpoint.summary}</span>
            </div>
            <span className="list-meta">
              <code>
                {endpoint.method} {endpoint.path}
              </code>
            </span>
          </li>
        ))}
      </ul>
    </section>
  ))
}
