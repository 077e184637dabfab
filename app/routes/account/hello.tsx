import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, useLoaderData } from '@remix-run/react'
import { AccountCard } from './account-card.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { useRoot } from '#app/root.tsx'
import { handleForm } from '#app/server/load.server.ts'
import { redirectTarget, guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

export function loader(args: LoaderFunctionArgs) {
  return { name: guard(args, 'signedIn').user.name }
}

export function action(args: ActionFunctionArgs) {
  const { user } = guard(args, 'signedIn')
  const data = () => ({ onboarding: { welcomed: true } })
  return handleForm(args, {
    welcome: {
      endpoint: v1.user.updateById,
      params: { userId: user.id },
      data,
      then: () => redirectTarget(args),
    },
  })
}

export const meta = placeTitle('Hello')

/** "User with a place who has not been welcomed goes to /hello." From there to the page that was requested. */
export default function Hello() {
  const { name } = useLoaderData<typeof loader>()
  const place = useRoot()?.main?.place?.displayName
  return (
    <AccountCard
      title={`Hello, ${name}`}
      intro={
        <>
          <p>{place ? `You now work in ${place}.` : 'Your account is ready.'} Three places to start:</p>
          <ul className="account-list">
            <li>
              <b>Data</b> holds the sources your organization keeps, and their records.
            </li>
            <li>
              <b>Insights</b> are saved questions to that data, drawn as charts and maps.
            </li>
            <li>
              <b>Pages</b> tell what the insights mean, and publish it.
            </li>
          </ul>
        </>
      }
    >
      <Form method="post">
        <SubmitButton intent="welcome">Start</SubmitButton>
      </Form>
    </AccountCard>
  )
}
