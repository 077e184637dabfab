import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { ActionError } from '#app/components/form/form-error.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { Day, Moment } from '#app/components/list/time.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'superadmin')
  const { facts, hubs, domains, origins, builds } = await load(args, {
    facts: v1.internal.find,
    hubs: v1.internal.hubs,
    domains: { endpoint: v1.internal.domains, options: { limit: 200 } },
    origins: v1.internal.origins,
    builds: v1.internal.builds,
  })
  return {
    facts: facts.results,
    hubs: hubs.results,
    hubsTotal: hubs.meta.total,
    domains: domains.results,
    domainsTotal: domains.meta.total,
    origins: origins.results,
    builds,
  }
}

export function action(args: ActionFunctionArgs) {
  const { internal } = v1
  const nothing = () => undefined
  return handleFormKeepingValues(args, (formValues) => ({
    unstick: { endpoint: internal.unstick, data: nothing },
    halt: { endpoint: internal.halt, data: nothing },
    hose: { endpoint: internal.hose, data: nothing },
    rerender: { endpoint: internal.rerender, data: nothing },
    refresh: {
      endpoint: internal.refresh,
      data: () => (formValues.after ? { after: formValues.after } : undefined),
    },
  }))
}

export const meta = placeTitle('Admin')

type Screen = ReturnType<typeof useLoaderData<typeof loader>>

const names: Record<string, string> = {
  'queue.open': 'Events that wait',
  'hubs.failing': 'Hubs that are not up to date',
  'queue.oldest': 'The oldest of them',
  'mail.waiting': 'Emails waiting to be sent',
  'jobs.queued': 'Imports that wait',
  'jobs.running': 'Imports that run',
  'jobs.stale': 'Stuck imports',
  'version.schema': 'Schema',
  'version.postgres': 'Postgres',
  'version.postgis': 'PostGIS',
  'flag.importersHalted': 'Importers are stopped',
}

const describeFact = (value: string | number | boolean | null) =>
  value === null ? 'none' : typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value)

/** The state of the product's internals, and actions for the operator. */
export default function AdminInternals() {
  const { facts, hubs, hubsTotal, domains, domainsTotal, origins, builds } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const acted = outcome?.ok && 'affected' in outcome.result ? outcome.result : null
  const doneText =
    acted?.affected === undefined ? '' : `Done: ${acted.affected} affected, ${acted.left} left.`
  useToast(outcome, {
    ...{ unstick: doneText, halt: doneText, hose: doneText, refresh: doneText },
    rerender: `Begun: ${acted?.left ?? 0} left to be rendered.`,
  })
  const next = acted?.next ?? null
  const isHalted = facts.some(({ id, value }) => id === 'flag.importersHalted' && value === true)
  return (
    <div className="settings">
      <ActionError />
      <section aria-labelledby="state">
        <h2 id="state">State</h2>
        <Facts facts={facts.map(({ id, value }) => [names[id] ?? id, describeFact(value)])} />
      </section>
      <HubBuilds {...builds} />
      <Actions isHalted={isHalted} next={next} />
      <FailingHubs hubs={hubs} total={hubsTotal} />
      <Hosts domains={domains} total={domainsTotal} />
      <section aria-labelledby="origins">
        <h2 id="origins">Origins</h2>
        <ul>
          {origins.map(({ id, withCredentials }) => (
            <li key={id}>
              <code className="code">{id}</code>, {withCredentials ? 'with a session' : 'without a session'}
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

const keptTexts = {
  none: 'Not yet',
  pages: 'Those of hub pages',
  all: 'All, also those of open tabs',
}

/** How far the hubs are updated to the running build. */
function HubBuilds({ build, kept: keptFiles, total, done, making, failed: failedHubs }: Screen['builds']) {
  return (
    <section aria-labelledby="builds">
      <h2 id="builds">Version of hub pages</h2>
      <div className="stack">
        <Facts
          facts={[
            ['Version that runs', build ?? 'not built'],
            ['Its files are kept', build === null ? null : keptTexts[keptFiles]],
            ['Hubs at this version', `${done} of ${total}`],
            ['Being rendered', making.join(', ')],
          ]}
        />
        {done < total ? (
          <progress max={total} value={done} aria-label="Hubs at the version that runs" />
        ) : null}
        {failedHubs.length > 0 ? (
          <ul>
            {failedHubs.map(({ id, pages, message, nextAt }) => (
              <li key={id}>
                <b>{id}</b>: {pages.length === 1 ? 'one page stays' : `${pages.length} pages stay`} as before
                ({message}). {nextAt ? <>Tried again after {nextAt.slice(11, 16)} UTC.</> : null}
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </section>
  )
}

/** The operator's actions: each button is an intent of the screen. */
function Actions({ isHalted, next }: { isHalted: boolean; next: string | null }) {
  return (
    <section aria-labelledby="actions">
      <h2 id="actions">Actions</h2>
      <Form method="post" className="stack" preventScrollReset>
        <Action
          name="unstick"
          label="End stuck imports"
          text="Runs without a sign of life end as failed, so that they can start again."
        />
        <div className="row">
          {isHalted ? (
            <SubmitButton intent="hose" className="button" doing="Resuming…">
              Resume importers
            </SubmitButton>
          ) : (
            <ConfirmButton
              intent="halt"
              question="Stop all importers?"
              text="None starts in any organization until they are resumed, and those that run are told to stop."
              answer="Stop them"
              className="button is-danger"
            >
              Stop all importers
            </ConfirmButton>
          )}
          <span className="muted">
            {isHalted
              ? 'Nothing is imported now. Resuming also tries hubs again that wait after a failure.'
              : 'In all organizations.'}
          </span>
        </div>
        {isHalted ? null : (
          <Action
            name="hose"
            label="Flush the queue"
            text="Tries all hubs again at once that wait after a failure."
          />
        )}
        <Action
          name="rerender"
          label="Render old hubs again"
          text="Hubs with pages of another version of the product, and those that failed, in the background."
        />
        <input type="hidden" name="after" value={next ?? ''} />
        <Action
          name="refresh"
          label={next ? 'Continue rebuilding' : 'Rebuild'}
          text={
            next
              ? `The last call stopped after ${next}.`
              : 'Counts, kept answers and hubs, some at a time: it says how many are left.'
          }
        />
      </Form>
    </section>
  )
}

function FailingHubs({ hubs, total }: { hubs: Screen['hubs']; total: number }) {
  return (
    <section aria-labelledby="hubs">
      <h2 id="hubs">Hubs that are not up to date</h2>
      {hubs.length ? (
        <div className="is-wrapping stack">
          <div className="table-box" tabIndex={0} role="region" aria-labelledby="hubs">
            <table className="is-dense">
              <thead>
                <tr>
                  <th scope="col">Organization</th>
                  <th scope="col">What is wrong</th>
                  <th scope="col">Since</th>
                  <th scope="col">Failed tries</th>
                  <th scope="col">Next try</th>
                </tr>
              </thead>
              <tbody>
                {hubs.map(({ placeId, placeName, target, message, since, attempts, nextAttemptAt }) => (
                  <tr key={`${placeId} ${target}`}>
                    <th scope="row">{placeName}</th>
                    <td>{message}</td>
                    <td>
                      <Moment date={since} />
                    </td>
                    <td className="num">{attempts}</td>
                    <td>
                      <Moment date={nextAttemptAt} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {total > hubs.length ? <p className="muted">{total - hubs.length} more are not shown.</p> : null}
        </div>
      ) : (
        <p className="muted">None.</p>
      )}
    </section>
  )
}

/** The domains of organizations, and their checks. */
function Hosts({ domains, total }: { domains: Screen['domains']; total: number }) {
  return (
    <section aria-labelledby="domains">
      <h2 id="domains">Hosts</h2>
      {domains.length ? (
        <div className="table-box" tabIndex={0} role="region" aria-labelledby="domains">
          <table className="is-dense">
            <thead>
              <tr>
                <th scope="col">Host</th>
                <th scope="col">Organization</th>
                <th scope="col">Since</th>
                <th scope="col">Certificate</th>
                <th scope="col">Failed checks</th>
              </tr>
            </thead>
            <tbody>
              {domains.map(({ id, placeId, verifiedAt, certificate, failures }) => (
                <tr key={id}>
                  <th scope="row">{id}</th>
                  <td>{placeId}</td>
                  <td>
                    <Day date={verifiedAt} never="given up" />
                  </td>
                  <td>{certificate}</td>
                  <td className="num">{failures}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {total > domains.length ? (
            <p className="muted">
              {domains.length} of {total}.
            </p>
          ) : null}
        </div>
      ) : (
        <p className="muted">No organization has a host of its own.</p>
      )}
    </section>
  )
}

function Action({ name, label, text }: { name: string; label: string; text: string }) {
  return (
    <div className="row">
      <SubmitButton intent={name} className="button" doing="Working…">
        {label}
      </SubmitButton>
      <span className="muted">{text}</span>
    </div>
  )
}
