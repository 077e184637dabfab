import { Form } from '@remix-run/react'
import { Screen } from '#app/components/shell/screen.tsx'

/** The account screen in a single sign-on session: changing the account requires the person's own sign-in. */
export function SsoSession({ email, placeName }: { email: string; placeName: string }) {
  return (
    <Screen isNarrow title="Account" sub={email}>
      <div className="stack">
        <p>
          {placeName} has signed you in. That opens {placeName} and nothing else; it ends by itself within a
          day.
        </p>
        <p>
          Your name, password, keys and other organizations are settings of your own account. To see them sign
          out and sign in with its password. If it has none yet, choose one by “Forgot your password?”.
        </p>
        <Form method="post" action="/logout">
          <button className="button" name="intent" value="logout">
            Sign out
          </button>
        </Form>
      </div>
    </Screen>
  )
}
