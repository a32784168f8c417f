import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** `tenant/session` of the conversation a workflow belongs to. */
export const SESSION_KEY = defineSearchAttributeKey('SendonceSession', SearchAttributeType.KEYWORD);

/** IDs of the workflow's operations whose outcome is not settled. */
export const OPERATION_KEY = defineSearchAttributeKey('SendonceOperation', SearchAttributeType.KEYWORD_LIST);
