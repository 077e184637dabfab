import { Link } from '@remix-run/react'

export interface StepLink {
  label: string
  /** The link; null: not reachable yet. */
  to: string | null
}

/** The steps of a wizard with the current one; earlier ones are links. */
export function Steps({ steps, current }: { steps: StepLink[]; current: number }) {
  return (
    <nav aria-label="Steps">
      <ol className="steps-nav">
        {steps.map(({ label, to }, i) => (
          <li key={label} aria-current={i === current ? 'step' : undefined}>
            {to !== null && i < current ? <Link to={to}>{label}</Link> : label}
          </li>
        ))}
      </ol>
    </nav>
  )
}
