import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useLoaderData } from '@remix-run/react'
import { buildExampleCall } from './builder/function-example.ts'
import { operatorWords } from '#app/components/builder/language.ts'
import type { BuilderFunction } from '#app/components/builder/values.ts'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { listOperators } from '#app/server/builder.server.ts'
import { load } from '#app/server/load.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** All functions and operators of the query language, as listed by the server. */
export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const search = (new URL(args.request.url).searchParams.get('search') ?? '').trim().slice(0, 100)
  const { functions } = await load(args, { functions: v1.insight.functions })
  const word = search.toLowerCase()
  const hits = Object.entries(functions).filter(([key, each]) =>
    [key, each.name, each.notes, each.category].some((text) => text.toLowerCase().includes(word)),
  )
  const categories = [...new Set(hits.map(([, { category }]) => category))].map((category) => ({
    category,
    functions: hits.filter(([, each]) => each.category === category),
  }))
  const operators = listOperators().filter(({ key }) =>
    [key, operatorWords(key, undefined), 'filter'].some((text) => text.toLowerCase().includes(word)),
  )
  return { search, categories, operators, mayCreate: hasPermission(args.context.ctx, 'insight.create') }
}

export const meta = placeTitle('Functions of questions')

export default function Reference() {
  const { search, categories, operators, mayCreate } = useLoaderData<typeof loader>()
  return (
    <Screen
      title="Functions of questions"
      crumbs={[{ label: 'Insights', to: '/collections' }]}
      sub="What a question can be made of: for the builder, and for the API."
      actions={
        mayCreate ? (
          <Link className="button" to="/insights/create">
            Create an insight
          </Link>
        ) : undefined
      }
    >
      <Form method="get" role="search" className="toolbar">
        <input
          type="search"
          name="search"
          aria-label="Search functions"
          placeholder="Search functions"
          defaultValue={search}
          key={search}
        />
        <button className="button">Search</button>
      </Form>
      {categories.length || operators.length ? null : (
        <EmptyState title="No results!" text="No function fits what you are looking for." />
      )}
      {categories.map(({ category, functions }) => (
        <section key={category} className="stack" aria-labelledby={`category-${category}`}>
          <h2 id={`category-${category}`}>{category}</h2>
          {functions.map(([key, each]) => (
            <FunctionEntry key={key} name={key} each={each} />
          ))}
        </section>
      ))}
      {operators.length ? (
        <section className="stack" aria-labelledby="operators">
          <h2 id="operators">Filters</h2>
          <p className="muted">
            They stand below a field. <code>$and</code>, <code>$or</code> and <code>$not</code> join
            conditions.
          </p>
          <div className="table-box" tabIndex={0} role="region" aria-label="Operators of filters">
            <table>
              <thead>
                <tr>
                  <th scope="col">Operator</th>
                  <th scope="col">Means</th>
                  <th scope="col">Fields</th>
                  <th scope="col">Right side</th>
                </tr>
              </thead>
              <tbody>
                {operators.map(({ key, types, takes }) => (
                  <tr key={key} id={key}>
                    <td>
                      <code>{key}</code>
                    </td>
                    <td>{operatorWords(key, undefined)}</td>
                    <td>{types.join(', ')}</td>
                    <td>{rightSides[takes]}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      ) : null}
    </Screen>
  )
}

const rightSides: Record<ReturnType<typeof listOperators>[number]['takes'], string> = {
  value: 'a value, a field or a function',
  list: 'a list of values',
  items: 'a list of items',
  pair: 'a list of two values',
  pattern: 'a regular expression',
  patterns: 'a pattern; % is any text, _ any letter',
  truth: 'true, false or null',
}

function FunctionEntry({ name, each }: { name: string; each: BuilderFunction }) {
  const { signature, returns, notes, aggregate } = each
  return (
    <article className="card function-entry" id={name}>
      <div className="card-body">
        <h3 className="card-title">
          <a href={`#${name}`}>{each.name}</a> <code className="muted">{name}</code>
        </h3>
        <p>{notes}</p>
        {signature.length ? (
          <dl className="facts">
            {signature.map((part) => (
              <div key={part.name}>
                <dt>{part.name}</dt>
                <dd>
                  {part.options ? part.options.map(({ value }) => value).join(', ') : part.types.join(' or ')}
                </dd>
              </div>
            ))}
          </dl>
        ) : null}
        <p className="muted">
          Gives {returns.static ? `a ${returns.static.type}` : 'what its values are'}
          {aggregate ? ', of all records of a group' : ''}.
        </p>
        <pre className="code" tabIndex={0} aria-label={`Example of ${each.name}`}>
          <code>{JSON.stringify(buildExampleCall(name, each))}</code>
        </pre>
      </div>
    </article>
  )
}
