export interface ErrorTexts {
  title: string
  text: string
}

const noAccess: ErrorTexts = {
  title: 'Uh-oh! You don’t have access to this.',
  text: 'Ask your team admin for access, or contact support for help.',
}

const byStatus: Record<number, ErrorTexts> = {
  401: noAccess,
  403: noAccess,
  404: {
    title: 'Uh-oh! This doesn’t exist.',
    text: 'It may have been deleted, or the URL is invalid.',
  },
  503: {
    title: 'Something took longer than expected.',
    text: 'Try again in a few, or try adjusting your query.',
  },
}

const otherwise: ErrorTexts = {
  title: 'Uh-oh! Something went wrong.',
  text: 'Our people are looking into it.',
}

/** Gives the two sentences of the error view for an HTTP status; every other status has the same general ones. */
export function errorTexts(status: number): ErrorTexts {
  return byStatus[status] ?? otherwise
}
