export const worker = { tools: [] };
