/** "/error | 500 error page": for infrastructure to send people to. */
export function loader() {
  throw new Response(null, { status: 500, statusText: 'Error' })
}

export default function ErrorRoute() {
  return null
}
