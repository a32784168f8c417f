import type { Operation } from './fold';
import type { ReplyCode, ReplySubject } from './reply';

/**
 * The sentence for the model. It says what is known, what the system does next and what to tell the customer; it never
 * says that something failed of which nobody knows whether it did (rule 4).
 */
export function replyText(code: ReplyCode, operation: Operation, { tool, operationId }: ReplySubject): string {
  const number = operation.externalId === null ? '' : `, number ${operation.externalId}`;
  const what = `${tool}, operation ${operationId}${number}`;
  const reason = operation.reason === null ? '' : ` Reason: ${operation.reason}`;
  switch (code) {
    case 'done':
      return `Done: ${what}. It took effect once.`;
    case 'already_done':
      return `Already done: ${what}. It took effect before this call, and nothing was sent again. Tell the customer that it is done.`;
    case 'in_progress':
      return `In progress: ${what}. It was sent and is not finished. Do not send it again; ask operation_status later. Tell the customer that it is being carried out and that they will hear.`;
    case 'waiting':
      return `Waiting: ${what}. It is recorded and not sent yet; it will be sent when what it waits for is there. Tell the customer that they will hear.`;
    case 'approval_required':
      return `Approval required: ${what}. It is recorded and not sent; a person must approve it first. Tell the customer that they will hear.`;
    case 'outcome_unknown':
      return `Outcome unknown: ${what}. It was sent and no clear answer came, so it may have taken effect. Do not send it again: the system is finding out. Tell the customer that their original request is being confirmed and that they will hear.`;
    case 'escalated':
      return `With a person: ${what}. A person is looking into it; nothing more is sent until they decide. Tell the customer that their original request is being looked into and that they will hear.`;
    case 'rejected':
      return `Rejected: ${what}. It certainly had no effect.${reason}`;
    case 'not_submitted':
      return `Not submitted: ${what}. Nothing left for the provider, or it turned away what came; nothing was carried out.${reason} The same request may be made again.`;
    case 'conflict':
      return `Conflict: ${what} exists with other content (${operation.tool}, state ${operation.state}). This call sent nothing; that operation may have been sent. Use what it says, or ask for something else.`;
    case 'invalid_input':
      return `Invalid input: ${what}. Nothing was sent.${reason}`;
  }
}
