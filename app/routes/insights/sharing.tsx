import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { InsightTabs } from './insight-tabs.tsx'
import { ActionError } from '#app/components/form/form-error.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { sharedFiles } from './share.ts'
import { SharedLine } from './shared-line.tsx'
import { VisibilityBadge } from '#app/components/list/badges.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { guard, isOrgAdmin, hasPermission } from '#app/server/session.server.ts'
import { embedCode, embedSize, imageCode } from '#functions/shapes/embed.ts'
import { v1 } from '#functions/v1/index.ts'

/** All ways to use an insight outside of the workspace: URLs and embed codes. */
export async function loader(args: LoaderFunctionArgs) {
  const { placeId } = guard(args, 'withPlace')
  const { ctx } = args.context
  const { insight } = await load(args, { insight: v1.place.insight.findById })
  const { origin } = ctx.site
  return {
    insight: { id: insight.id, name: insight.name, visibility: insight.visibility },
    page: `${origin}/insights/${insight.id}`,
    href: `${origin}/v1/places/${placeId}/insights/${insight.id}`,
    mayModify: hasPermission(ctx, 'insight.update') && isOrgAdmin(ctx.actor, placeId),
    mayShorten: hasPermission(ctx, 'link.create'),
  }
}

export function action(args: ActionFunctionArgs) {
  const path = `/insights/${args.params.insightId ?? ''}`
  return handleFormKeepingValues(args, () => ({
    shorten: { endpoint: v1.place.link.create, data: () => ({ path, onHub: false }) },
  }))
}

export const meta = placeTitle<{ insight: { name: string } }>(({ insight }) => `Share ${insight.name}`)

export default function Sharing() {
  const { insight, page, href, mayModify, mayShorten } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const short = outcome?.ok ? outcome.result.url : null
  const { width, height } = embedSize
  return (
    <Screen
      title={`Share ${insight.name}`}
      crumbs={[
        { label: 'Insights', to: '/collections' },
        { label: insight.name, to: `/insights/${insight.id}` },
      ]}
      badges={<VisibilityBadge visibility={insight.visibility} />}
    >
      <InsightTabs id={insight.id} mayModify={mayModify} />
      {insight.visibility === 'public' ? null : (
        <p className="notice is-warning">
          {insight.visibility === 'place'
            ? 'Only the people of this organization see it. Elsewhere its pictures and files show nothing.'
            : 'Only you and admins see it. Elsewhere its pictures and files show nothing.'}{' '}
          {mayModify ? <Link to={`/insights/${insight.id}/modify`}>Make it public first.</Link> : null}
        </p>
      )}
      <ActionError />
      <div className="columns">
        <section className="stack" aria-labelledby="links">
          <h2 id="links">Links</h2>
          <SharedLine label="Link" text={page} hint="To this insight, for people of this organization." />
          {short ? <SharedLine label="Short link" text={short} hint="Leads to the same page." /> : null}
          {mayShorten && !short ? (
            <Form method="post" preventScrollReset>
              <SubmitButton intent="shorten" doing="Shortening…" className="button">
                Make a short link
              </SubmitButton>
            </Form>
          ) : null}
          <h2>Files</h2>
          <p className="muted">Each address gives the newest answer.</p>
          {sharedFiles.map(([ending, label, hint]) => (
            <SharedLine key={ending} label={label} text={`${href}.${ending}`} hint={hint} />
          ))}
        </section>
        <section className="stack" aria-labelledby="embed">
          <h2 id="embed">On another site</h2>
          <SharedLine
            label="Frame"
            text={embedCode(href, insight.name)}
            hint="A live drawing that follows the reader’s theme."
            isLong
          />
          <SharedLine
            label="Picture"
            text={imageCode(href, insight.name)}
            hint="For sites that take no frames."
            isLong
          />
          <h3>How it looks</h3>
          <iframe
            className="embed-preview"
            src={`${new URL(href).pathname}.svg?width=${width}&height=${height}&theme=auto`}
            title={`${insight.name}, as it is embedded`}
            width={width}
            height={height}
            loading="lazy"
          />
        </section>
      </div>
    </Screen>
  )
}
