import type { ReferenceEndpoint, ReferenceField } from './endpoint.ts'
import { Address } from './method.tsx'
import { Sentence } from './sentence.tsx'

/** The reference of one endpoint. Its name is its anchor on the page. */
export function EndpointCard({ endpoint }: { endpoint: ReferenceEndpoint }) {
  const { name, method, path, summary, description, parameters, body, bodyType, answerType } = endpoint
  return (
    <article className="card" id={name} aria-labelledby={`${name}-title`}>
      <div className="card-body stack">
        <div>
          <h3 className="section-title" id={`${name}-title`}>
            <a href={`#${name}`}>{name}</a>
          </h3>
          <p>
            <Address method={method} path={path} />
          </p>
          <p>
            <Sentence text={summary} />
          </p>
          <p className="muted">
            <Sentence text={description} />
          </p>
        </div>
        <Fields caption="Parameters" fields={parameters} />
        <Fields caption="Body" fields={body} />
        {bodyType ? (
          <p>
            The body is <code>{bodyType}</code>.
          </p>
        ) : null}
        <Example title="Example with curl" text={endpoint.curl} />
        <Example title="The same from a program" text={endpoint.sdk} />
        {endpoint.answer ? (
          <Example title="What it is answered" text={endpoint.answer} />
        ) : (
          <p>
            The answer is <code>{answerType}</code>.
          </p>
        )}
        <details className="disclosure">
          <summary>What it refuses with</summary>
          <div className="table-box" tabIndex={0} role="region" aria-label={`What ${name} refuses with`}>
            <table>
              <thead>
                <tr>
                  <th scope="col">Status</th>
                  <th scope="col">When</th>
                </tr>
              </thead>
              <tbody>
                {endpoint.refusals.map(({ status, meaning }) => (
                  <tr key={status}>
                    <th scope="row">{status}</th>
                    <td>{meaning}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      </div>
    </article>
  )
}

function Fields({ caption, fields }: { caption: string; fields: ReferenceField[] }) {
  if (!fields.length) return null
  return (
    <div className="table-box" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Type</th>
            <th scope="col">Notes</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, where, type, isRequired, notes }) => (
            <tr key={`${where} ${name}`}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>
                <code>{type}</code>
              </td>
              <td>
                {[isRequired ? 'Required.' : '', where ? `In the ${where}.` : '', notes]
                  .filter(Boolean)
                  .join(' ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Example({ title, text }: { title: string; text: string }) {
  return (
    <figure>
      <figcaption className="muted">{title}</figcaption>
      <pre className="code" tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  )
}
