import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useLoaderData, useLocation } from '@remix-run/react'
import { EndpointCard } from './endpoint-card.tsx'
import { NounNav, NounSections } from './noun-list.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { reference } from './reference.server.ts'

/** `/api`: for programs that use published data. `/core_api`: the whole API, as used by the workspace. */
export function loader(args: LoaderFunctionArgs) {
  return reference(args, new URL(args.request.url).pathname.startsWith('/core_api') ? 'whole' : 'public')
}

export const meta = placeTitle<{ part: string }>(({ part }) => (part === 'whole' ? 'Core API' : 'API'))

export default function Reference() {
  const { part, search, chosen: selectedNoun, nouns, whole, count } = useLoaderData<typeof loader>()
  const base = useLocation().pathname
  const noun = nouns.find(({ name }) => name === selectedNoun)
  return (
    <Screen
      title={part === 'whole' ? 'Core API' : 'API'}
      sub={
        part === 'whole'
          ? 'Everything that this workspace does can be done by a program.'
          : 'Ask published data from a program, and send records with the key of a source.'
      }
      actions={
        <>
          <Link className="button" to={part === 'whole' ? '/api' : '/core_api'}>
            {part === 'whole' ? 'Only data' : 'Whole API'}
          </Link>
          <a className="button" href="/v1/openapi.json">
            OpenAPI
          </a>
          <a className="button" href="/v1/swagger">
            Swagger
          </a>
        </>
      }
    >
      <Form method="get" role="search" className="toolbar" key={search}>
        <input
          type="search"
          name="search"
          placeholder="Search endpoints"
          aria-label="Search endpoints"
          defaultValue={search}
        />
        <button className="button">Search</button>
        {search || selectedNoun ? <Link to={base}>Show all</Link> : null}
      </Form>
      {search ? (
        <p role="status">
          {count} {count === 1 ? 'endpoint' : 'endpoints'} for “{search}”
        </p>
      ) : null}
      <div className="reference">
        <NounNav base={base} nouns={nouns} selectedId={selectedNoun} />
        <div className="reference-main stack">
          {noun ? (
            <h2>
              {noun.name} <small className="muted">{noun.sentence}</small>
            </h2>
          ) : null}
          {whole.length ? (
            whole.map((endpoint) => <EndpointCard key={endpoint.name} endpoint={endpoint} />)
          ) : nouns.length ? (
            <NounSections base={base} nouns={nouns} />
          ) : (
            <EmptyState title="No results!" text="No endpoint has these words in its name or its sentence." />
          )}
        </div>
      </div>
    </Screen>
  )
}
