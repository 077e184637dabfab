import { Form, Link, useLoaderData } from '@remix-run/react'
import { useContext } from 'react'
import { OpenAlert } from './open-alert.tsx'
import { ActionError } from '#app/components/form/form-error.tsx'
import { describeSchedule } from '#app/components/form/schedule.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { DataTable } from '#app/components/hub/data-table.tsx'
import { ShownInsight } from '#app/components/insight/shown-insight.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { List } from '#app/components/list/list.tsx'
import { Moment } from '#app/components/list/time.tsx'
import { TimeZone } from '#app/components/list/time-zone.ts'
import { AlertList, alertOffer } from './alert-list.tsx'
import { DeadWebhooks } from './dead-webhooks.tsx'
import { StateBadge } from './state-badge.tsx'
import { durationWords, formatMeasuredValue } from '#app/components/observer/words.ts'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { observerAction } from './action.server.ts'
import { observerPage } from './observer.server.ts'

export const loader = observerPage

export const action = observerAction

export const meta = placeTitle<{ observer: { name: string } }>(({ observer }) => observer.name)

export default function Observer() {
  const screen = useLoaderData<typeof loader>()
  const { dataType, observer, alert, figure } = screen
  const url = `/types/${dataType.id}/observers/${observer.id}`
  return (
    <Screen
      title={observer.name}
      crumbs={[
        { label: 'Data', to: '/sources' },
        { label: dataType.name, to: `/types/${dataType.id}` },
        { label: 'Observers', to: `/types/${dataType.id}/observers` },
      ]}
      badges={<StateBadge observer={observer} />}
      sub={observer.notes}
      actions={
        <>
          <a className="button" href={`${screen.exportPath}?format=csv`} download>
            Download its records
          </a>
          {screen.mayModify ? (
            <Link className="button" to={`${url}/modify`}>
              Modify
            </Link>
          ) : null}
        </>
      }
      done={{
        read: 'Marked as read.',
        resend: 'It is sent again.',
        resendAll: 'They are sent again.',
      }}
    >
      <ActionError />
      {observer.error ? <p className="notice is-warning">It could not look: {observer.error}</p> : null}
      {screen.blind ? <p className="notice is-warning">{screen.blind}</p> : null}
      <ObserverFacts {...screen} />
      {alert ? <OpenAlert alert={alert} closeUrl={url} mayDelete={screen.mayDeleteAlerts} /> : null}
      <section className="stack" aria-labelledby="watched">
        <h2 id="watched">What it watches now</h2>
        {typeof figure === 'string' ? (
          <p className="notice is-warning">{figure}</p>
        ) : (
          <ShownInsight view={figure} />
        )}
      </section>
      {screen.newest?.rows.length ? (
        <section className="stack" aria-labelledby="newest">
          <h2 id="newest">The newest records of it</h2>
          <DataTable {...screen.newest} label="The newest records it watches" />
        </section>
      ) : null}
      {screen.dead.total ? (
        <DeadWebhooks {...screen.dead} buildAlertHref={(id) => `${url}?alert=${id}`} />
      ) : null}
      <Alerts {...screen} url={url} />
    </Screen>
  )
}

type Screen = ReturnType<typeof useLoaderData<typeof loader>>

/** Condition, schedule and recipients. */
function ObserverFacts({ observer, words, sourceName }: Pick<Screen, 'observer' | 'words' | 'sourceName'>) {
  const timeZone = useContext(TimeZone)
  return (
    <Facts
      facts={[
        ['Alert when', words],
        [
          'Watches',
          observer.sourceId ? (
            <Link key="source" to={`/sources/${observer.sourceId}`}>
              {sourceName}
            </Link>
          ) : (
            'All sources here'
          ),
        ],
        ['Last value', formatMeasuredValue(observer.lastValue)],
        ['Looks', describeSchedule(observer.schedule, timeZone)],
        ['Looked at', <Moment key="at" date={observer.evaluatedAt} never="not yet" />],
        ['Next look', observer.dueAt ? <Moment key="due" date={observer.dueAt} /> : null],
        ['Waits after an alert', observer.cooldown ? durationWords(observer.cooldown) : null],
        ['Tells', describeRecipients(observer)],
      ]}
    />
  )
}

/** Its alerts, newest first, paged; `url`: the path of the observer. */
function Alerts({ alerts, alert, list, url }: Pick<Screen, 'alerts' | 'alert' | 'list'> & { url: string }) {
  const unread = alerts.filter(({ read }) => !read)
  return (
    <section className="stack" aria-labelledby="alerts">
      <div className="section-title">
        <h2 id="alerts">Alerts</h2>
        {unread.length ? (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="unread" value={unread.map(({ id }) => id).join(',')} />
            <SubmitButton intent="read" className="button is-small" doing="Marking…">
              {unread.length === 1 ? 'Mark it as read' : `Mark these ${unread.length} as read`}
            </SubmitButton>
          </Form>
        ) : null}
      </div>
      <List
        offer={alertOffer}
        list={list}
        noun="alerts"
        visibleCount={alerts.length}
        empty={{
          level: 3,
          title: 'No alerts yet',
          text: 'When its condition holds, the alert stands here with the records it is about.',
        }}
      >
        <AlertList
          alerts={alerts}
          openId={alert?.id ?? null}
          buildAlertHref={(id) =>
            `${url}?${list.query.page > 1 ? `page=${list.query.page}&` : ''}alert=${id}`
          }
        />
      </List>
    </section>
  )
}

function describeRecipients({
  channels,
  recipients,
  webhookUrl,
}: {
  channels: string[]
  recipients: string[]
  webhookUrl: string | null
}): string {
  const people = recipients.length === 1 ? 'one person' : `${recipients.length} people`
  const parts = [
    channels.includes('email') ? `${people} by e-mail` : '',
    channels.includes('webhook') && webhookUrl ? `a webhook at ${new URL(webhookUrl).host}` : '',
  ]
  return parts.filter(Boolean).join(', ') || 'the team, here'
}
