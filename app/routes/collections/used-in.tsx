import { Link } from '@remix-run/react'
import { Fragment } from 'react'

/** Maximum number of named uses; the rest are counted. */
const maxNamed = 3

/** The uses of an insight, as links. */
export function UsedIn({ uses }: { uses: { to: string; name: string }[] }) {
  if (!uses.length) return <>shown nowhere</>
  const rest = uses.length - maxNamed
  return (
    <>
      shown in{' '}
      {uses.slice(0, maxNamed).map(({ to, name }, i) => (
        <Fragment key={to}>
          {i > 0 ? ', ' : ''}
          <Link to={to}>{name}</Link>
        </Fragment>
      ))}
      {rest > 0 ? ` and ${rest} more` : ''}
    </>
  )
}
