import type { ReportTexts } from '../report.ts'

export const report: ReportTexts = {
  title: (source) => `Report an error in “${source}”`,
  intro: 'Your report goes to the people who look after this data. You need no account.',
  aboutRecord: (id) => `Your report is about record ${id}.`,
  aboutFigure: (title) => `Your report is about the figure “${title}”.`,
  text: 'What is wrong?',
  textHint: 'Which value is it, and what would be right? Plain text, at most 4,000 characters.',
  email: 'Email address for an answer (optional)',
  emailHint: 'Leave it empty if you want no answer.',
  keptTitle: 'What is done with your report',
  kept: (days) => [
    'Those who look after the data of this organization read it, in an email and in their workspace. It is not published.',
    `It is deleted after ${days} days, with your email address.`,
    'Your network address is not stored with it. Reports from one network are counted by a number that nobody can turn back into an address, and which is another one each day.',
  ],
  send: 'Send the report',
  empty: 'Leave this field empty',
  done: 'Thank you. Your report has arrived',
  doneText: 'Those who look after this data are told of it within an hour or so, and decide what to do.',
  doneAnswer: 'If they have a question or an answer, they write to the address you gave.',
  back: 'Back to the data',
  again: 'Report something else',
  refused: 'Your report was not sent',
  problems: {
    required: 'Please say what is wrong.',
    long: (n, most) => `This has ${n} characters; at most ${most} can be taken. Please shorten it.`,
    email: 'This is not an email address. Please correct it, or leave the field empty.',
    expired:
      'This page was open for more than a day. Please send your report again; your words are still here.',
    quick: 'This was sent faster than anyone can read. Please send it again; your words are still here.',
    foreign: 'This was sent from a page of another site. Please send it from here.',
    noForm: 'What was sent is not this form. Please fill it in here.',
    large: 'What was sent is too large to be read. Please go back: your browser may still have your words.',
    tooMany: {
      one: 'Too many reports have come in. Please try again in a minute; your words are still here.',
      other: 'Too many reports have come in. Please try again in {n} minutes; your words are still here.',
    },
    unavailable:
      'Your report cannot be stored right now. Please try again in a minute; your words are still here.',
    gone: 'This data is not public any more, so reports about it are not taken.',
  },
  privacy: (days) =>
    `A report of an error goes to those who look after the data, and is deleted after ${days} days, with the email address if you gave one. Your network address is not stored; a number made from it, another one each day, counts how many reports come from one network.`,
}
