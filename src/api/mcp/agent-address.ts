/**
 * The address that agents are told: with the small toolset, for a model pays for every tool that it reads.
 * @param baseUrl without a slash at its end
 */
export const agentAddress = (baseUrl: string): string => `${baseUrl}/mcp?tools=core`;
